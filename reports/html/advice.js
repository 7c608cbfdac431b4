// What a finding says in sentences: what happens, and the way out.

function operationRole(finding) {
  const kept = recorded(finding.kept_operation);
  const lost = finding.lost_operations.map(recorded).filter(Boolean);
  return {kept, lost};
}

// "write 812 bytes at 0 of a.tmp", also for operations that are not listed.
function involvedWords(involved) {
  const operation = recorded(involved);
  return operation ? describe(operation) : visible(involved.description);
}

function lostWords(finding) {
  const parts = finding.evidence ? finding.evidence.lost : [];
  const words = parts.flatMap((part) => part.what).map(visible);
  if (words.length > 0 && words.length <= 3) return listed(words);
  if (words.length > 3) {
    const more = parts.reduce((sum, part) => sum + part.units_lost, 0) - 3;
    return listed([...words.slice(0, 3), `${grouped(more)} more`]);
  }
  return listed(finding.lost_operations.map(involvedWords));
}

// One operation of which a part is on disk and a part is not.
function isTorn(finding) {
  return (
    Boolean(finding.kept_operation) &&
    finding.lost_operations.length === 1 &&
    finding.lost_operations[0].sequence === finding.kept_operation.sequence
  );
}

// An operation as what somebody does.
function doing(operation) {
  return operation.kind === 'print'
    ? `printing ${quoted(operation.text || '')}`
    : `“${describe(operation)}”`;
}

// The crashes that came before the one that a finding is about.
function earlierSteps(finding) {
  return (finding.earlier || []).map((crash, i) => {
    const where = i > 0 ? ' while recovery runs' : '';
    return [
      `First ${crashWords(crash.crash)}${where}, at ${visible(crash.point)}. `,
      crash.operation,
    ];
  });
}

// What happens, in the order in which it happens.
function story(finding) {
  const steps = earlierSteps(finding);
  if (finding.crash === 'kill') {
    if (finding.cause_operation && finding.cause_operation.sequence !== finding.sequence) {
      steps.push(['The program does this: ', finding.cause_operation]);
    }
    if (finding.crash_operation) {
      const cut = finding.state.cut_bytes;
      steps.push([
        cut === undefined
          ? 'It is killed right after: '
          : `It is killed when ${counted(cut, 'byte')} of this are done: `,
        finding.crash_operation,
      ]);
    } else {
      steps.push(['It is killed before its first change.', null]);
    }
    return steps;
  }
  const powerSteps = [];
  if (isTorn(finding)) {
    powerSteps.push(['Only partly on disk: ', finding.kept_operation, LOST]);
  } else if (finding.kept_operation) {
    const printed = finding.kept_operation.description.startsWith('print');
    powerSteps.push([
      printed ? 'Promised to the outside: ' : 'On disk: ',
      finding.kept_operation,
      KEPT,
    ]);
  }
  for (const lost of finding.lost_operations.slice(0, isTorn(finding) ? 0 : 3)) {
    powerSteps.push(['Done, but not on disk: ', lost, LOST]);
  }
  steps.push(...powerSteps.sort((a, b) => a[1].sequence - b[1].sequence));
  if (finding.lost_operations.length > 3) {
    steps.push([`and ${finding.lost_operations.length - 3} more operations like it`, null, LOST]);
  }
  const told = powerSteps.map((step) => step[1].sequence);
  if (finding.crash_operation && told[told.length - 1] === finding.crash_operation.sequence) {
    steps.push([`${capitalised(crashWords(finding.crash))} right after that.`, null]);
  } else if (finding.crash_operation) {
    steps.push([
      `${capitalised(crashWords(finding.crash))} right after: `,
      finding.crash_operation,
    ]);
  }
  return steps;
}

const ONLY_NAMES = new Set(['rename', 'link', 'symlink', 'unlink', 'mkdir', 'rmdir', 'mknod']);

function losesName(finding, operation) {
  const part =
    finding.evidence && finding.evidence.lost.find((one) => one.sequence === operation.sequence);
  if (ONLY_NAMES.has(operation.kind)) return true;
  return operation.kind === 'open' && Boolean(part) && !hasWord(operation, 'emptied');
}

// Which sync is missing for LOST, in words.
function missingSync(finding, operation) {
  const target = operation.other_path || operation.path;
  if (losesName(finding, operation)) {
    return `an fsync of ${folderName(folderOf(target))}, after “${describe(operation)}”`;
  }
  return `an fsync (or fdatasync) of ${fileName(operation.path)}, after “${describe(operation)}”`;
}

// The way out, a sentence or two; empty where it cannot be told from the cause alone.
function wayOut(finding) {
  if (finding.crash === 'lost-fsync') {
    return [
      'The program did what it could: the disk answered a sync without doing it. ' +
        'Keep a checksum or a version with the data, so that the loss is noticed.',
    ];
  }
  if (finding.crash === 'power') return wayOutOfPower(finding);
  if (finding.crash !== 'kill') return [];
  const cause = recorded(finding.cause_operation);
  if (!cause) return wayOutOfPromise(finding);
  if (hasWord(cause, 'emptied') || cause.kind === 'truncate') return [replaceWhole(cause.path)];
  if (cause.kind === 'unlink') {
    return [
      `Do not remove ${fileName(cause.path)} before its successor is in place: ` +
        'rename the new file over it, in one step.',
    ];
  }
  if (cause.kind === 'write' || cause.kind === 'mapwrite') {
    return [notAtomic(cause.path)];
  }
  return [
    `Between “${describe(cause)}” and what follows, a killed process leaves this state: ` +
      'make them one step, or let the next start recognise and repair it.',
  ];
}

function notAtomic(path) {
  return (
    `A write is not one step: a crash can leave a part of it. If ${fileName(path)} is replaced ` +
    'as a whole, write a temporary file, fsync it and rename it over; if it grows, give each ' +
    'record a length and a checksum, and cut an incomplete last one off when it is read.'
  );
}

// Nothing that the program did opened the time in which a crash does harm: what it said before did.
function wayOutOfPromise(finding) {
  const last = recorded(finding.crash_operation);
  if (!last || last.kind !== 'print') return [];
  return [
    'When this was printed, what it promises had not been written to any file: it was still in ' +
      'the program, in a buffer of a stream for example. Flush and sync first, then print.',
  ];
}

function replaceWhole(path) {
  return (
    `Write the new content to a temporary file beside ${fileName(path)}, fsync that, and ` +
    `rename it over ${fileName(path)}: the name then always means the old content or the new one.`
  );
}

function wayOutOfPower(finding) {
  const {kept, lost: all} = operationRole(finding);
  // What was lost behind the kept operation only uncovers the harm.
  const earlier = all.filter((one) => !kept || one.sequence <= kept.sequence);
  const lost = earlier.length > 0 ? earlier : all;
  if (lost.length === 0) return [];
  if (isTorn(finding)) return [notAtomic(lost[0].path)];
  const emptied = kept && (hasWord(kept, 'emptied') || kept.kind === 'truncate');
  if (emptied && lost.every((one) => one.path === kept.path)) return [replaceWhole(kept.path)];
  const isPromise = kept && (kept.kind === 'print' || kept.kind === 'event');
  if (isPromise && kept.sequence < lost[0].sequence) {
    return [
      `${capitalised(doing(lost[0]))} comes only after ${doing(kept)}: ` +
        'write and sync first, then say so.',
    ];
  }
  const syncs = [...new Set(lost.map((one) => missingSync(finding, one)))].slice(0, 3);
  const until = kept ? ` and before ${doing(kept)}` : '';
  const barrier = `A barrier is missing: ${listed(syncs)}${until}.`;
  return isPromise ? [barrier, 'Only then may the program say that it is done.'] : [barrier];
}
