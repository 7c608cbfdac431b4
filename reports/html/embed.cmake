# Writes a C++ source with the report's page, style and script, and the digests of the latter two:
#   cmake -D OUTPUT=assets.cc -D FOLDER=reports/html -D "SCRIPTS=a.js;b.js" -P embed.cmake
file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/report.css style)
set(script "'use strict';\n(() => {\n")
foreach(name ${SCRIPTS})
  file(READ ${FOLDER}/${name} part)
  string(APPEND script "${part}\n")
endforeach()
string(APPEND script "})();\n")
string(SHA256 style_digest "${style}")
string(SHA256 script_digest "${script}")

set(source "#include \"reports/html/assets.h\"\n\nnamespace everycrash::reports {\n\n")
# A compiler need not take a longer literal than 64 KiB; adjacent ones are joined.
function(add_text name text)
  set(literals "")
  string(LENGTH "${text}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND literals "    R\"everycrash(${piece})everycrash\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  set(source "${source}const std::string_view ${name} =\n${literals}    \"\";\n\n" PARENT_SCOPE)
endfunction()
add_text(kPage "${page}")
add_text(kStyle "${style}")
add_text(kScript "${script}")
string(APPEND source "const std::string_view kStyleDigest = \"${style_digest}\";\n"
  "const std::string_view kScriptDigest = \"${script_digest}\";\n\n"
  "}  // namespace everycrash::reports\n")
file(WRITE ${OUTPUT} "${source}")
