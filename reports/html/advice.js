// What a finding says in sentences: what happens, and the way out.

function operationRole(finding) {
  const kept = told(finding.kept_operation);
  const lost = finding.lost_operations.map(told).filter(Boolean);
  return {kept, lost};
}

// "write 812 bytes at 0 of a.tmp", also for operations that are not listed.
function involvedWords(involved) {
  const operation = recorded(involved);
  return operation ? describe(operation) : withArrows(visible(involved.description));
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
    ? `printing ${quoted(printedLine(operation))}`
    : `“${describe(operation)}”`;
}

// The crashes that came before the one that a finding is about.
function earlierSteps(finding) {
  return (finding.earlier || []).map((crash, i) => {
    const where = i > 0 ? ' while recovery runs' : '';
    const end = crash.operation ? ': ' : '.';
    return [
      `First ${crashWords(crash.crash)}${where}, at ${visible(crash.point)}${end}`,
      crash.operation,
    ];
  });
}

// The crash that a finding is about, where another one may have come before it: of what kind.
function lastCrash(finding) {
  if (finding.crash === 'again') return finding.state.model ? 'power' : 'kill';
  return finding.crash;
}

// What happens, in the order in which it happens: [words, operation, what became of it].
function story(finding) {
  const steps = {
    kill: killSteps,
    clock: killSteps,
    'io-error': failureSteps,
    concurrent: pairSteps,
    chaos: livesSteps,
  }[lastCrash(finding)];
  return [...earlierSteps(finding), ...(steps || powerSteps)(finding)];
}

function killSteps(finding) {
  const steps = [];
  const isRecovery = finding.crash === 'again';
  const who = isRecovery ? 'Recovery' : 'The program';
  if (finding.cause_operation && finding.cause_operation.sequence !== finding.sequence) {
    steps.push([`${who} does this: `, finding.cause_operation]);
  }
  if (finding.crash_operation) {
    const cut = finding.state.cut_bytes;
    const it = isRecovery && steps.length === 0 ? 'Recovery' : 'It';
    steps.push([
      cut === undefined
        ? `${it} is killed right after: `
        : `${it} is killed when ${counted(cut, 'byte')} of this are done: `,
      finding.crash_operation,
    ]);
  } else {
    steps.push(['It is killed before its first change.', null]);
  }
  if (finding.until_operation) {
    steps.push(['It never got to this: ', finding.until_operation, LATER]);
  }
  if (finding.crash === 'clock') {
    const clocks = finding.models.map(visible);
    steps.push([`It is started again with the clock ${listed(clocks, 'or')}.`, null]);
  }
  return steps;
}

function failureSteps(finding) {
  return [
    [
      'This call fails: ',
      finding.crash_operation,
      LOST,
      [', by the fault ', h('code', {}, visible(finding.point))],
    ],
    [howItWentOn(finding), null],
  ];
}

function howItWentOn(finding) {
  return finding.run_end
    ? `The run with the failed call ended with ${visible(finding.run_end)}.`
    : 'The program goes on with that.';
}

function pairSteps(finding) {
  const steps = (finding.schedule || []).map((line) => [`${capitalised(visible(line))}.`, null]);
  const [undone] = finding.lost_operations;
  if (undone) steps.push(['Of what the one has done nothing is left: ', undone, LOST]);
  if (finding.kept_operation)
    steps.push(['The other has done this over it: ', finding.kept_operation, KEPT]);
  return steps;
}

function livesSteps(finding) {
  const lives = finding.schedule || [];
  return lives.map((line, i) => [
    lives.length > 1 ? `Life ${i + 1}: ` : 'It lives under ',
    null,
    null,
    h('code', {}, visible(line)),
  ]);
}

function powerSteps(finding) {
  const steps = [];
  if (isTorn(finding)) {
    steps.push(['Only partly on disk: ', finding.kept_operation, LOST]);
  } else if (finding.kept_operation) {
    const words = isPrint(finding.kept_operation) ? 'Promised to the outside: ' : 'On disk: ';
    steps.push([words, finding.kept_operation, KEPT]);
  }
  for (const lost of finding.lost_operations.slice(0, isTorn(finding) ? 0 : 3)) {
    steps.push(['Done, but not on disk: ', lost, LOST]);
  }
  steps.sort((a, b) => a[1].sequence - b[1].sequence);
  const told = steps.map((step) => step[1].sequence);
  if (finding.lost_operations.length > 3) {
    steps.push([`and ${finding.lost_operations.length - 3} more operations like it`, null, LOST]);
  }
  const crash = capitalised(crashWords(lastCrash(finding)));
  if (finding.crash_operation && told[told.length - 1] === finding.crash_operation.sequence) {
    steps.push([`${crash} right after that.`, null]);
  } else if (finding.crash_operation) {
    steps.push([`${crash} right after: `, finding.crash_operation]);
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
  const other = {
    'io-error': wayOutOfFailure,
    clock: wayOutOfClock,
    concurrent: wayOutOfPair,
    chaos: wayOutOfChaos,
  }[finding.crash];
  if (other) return other(finding);
  if (finding.effect_fault) return wayOutOfEffect(finding);
  const again =
    finding.crash === 'again'
      ? ['Recovery is a program like any other: what it changes must survive a crash, too.']
      : [];
  const ways = lastCrash(finding) === 'kill' ? wayOutOfKill : wayOutOfPower;
  return [...again, ...ways(finding)];
}

function wayOutOfKill(finding) {
  const cause = told(finding.cause_operation);
  const until = told(finding.until_operation);
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
  if (isEffect(cause)) return wayOutOfEffect(finding);
  const made = nameMadeBy(cause);
  if (until && made !== '' && made === nameTakenBy(until)) {
    return [
      `${fileName(made)} outlives its holder, and stands in the way of the next start. Let it ` +
        'end with the process (flock), or let each start look whether the holder that it names ' +
        'still lives (pid and start time), and clean up after it if not.',
    ];
  }
  const next = until ? `“${describe(until)}”` : 'what follows';
  return [
    `Between “${describe(cause)}” and ${next}, a killed process leaves this state: ` +
      'do them the other way round, make them one step, or let the next start recognise and ' +
      'repair it.',
  ];
}

function wayOutOfEffect(finding) {
  if (finding.effect_fault === 'loss') {
    return [
      'Record it as done only once the receiver has answered; or write it into an outbox file, ' +
        'sync that before the state says so, and let each start work off what is left there.',
    ];
  }
  return [
    'Give it a key that its receiver knows again (an Idempotency-Key), and have the key in a ' +
      'synced file before it is sent, so that a new start sends the same one; or ask the ' +
      'receiver before it is repeated.',
  ];
}

function wayOutOfFailure(finding) {
  if (finding.judge === 'silent success')
    return ['Look at the result of this call, and end with an error where it fails.'];
  if (finding.judge === 'endless')
    return ['Give up after a number of tries: this call may fail for good.'];
  const call = recorded(finding.crash_operation);
  const sync = call && isSync(call);
  return [
    sync
      ? 'After a sync has failed its data is not on disk, and no later sync brings it there: do ' +
        'not go on with it, and write it anew from what is known to be good.'
      : 'Where this call fails, keep what was there before: work on a temporary file, take it ' +
        'away on an error, and put it into place only when all of it is written and synced.',
  ];
}

function wayOutOfClock(finding) {
  const isZone = finding.models.every((model) => model === 'east of Greenwich');
  if (isZone) {
    return [
      'The time zone can be another one after a restart. Write times as UTC, and read them as ' +
        'UTC (timegm, not mktime).',
    ];
  }
  return [
    'The wall clock can jump, and is another one after a restart. Do not decide by it alone: let ' +
      'a lock end with its holder (flock), or accept that a time stamp lies in the future.',
  ];
}

function wayOutOfPair() {
  return [
    'Let only one runner at a time read, change and write this: take a lock that ends with its ' +
      'holder (flock on a file that stays) before the first look, and keep it to the end. A ' +
      'stale lock file is to be taken over in one step (rename), by one.',
  ];
}

function wayOutOfChaos() {
  return [
    'Random faults show that something breaks, not yet which call. ',
    h('code', {}, 'everycrash test --crash kill,io-error,clock'),
    'tries each one alone, and names the line.',
  ];
}

function nameMadeBy(operation) {
  if (['rename', 'link'].includes(operation.kind)) return operation.other_path;
  const makes = operation.kind === 'open' && hasWord(operation, 'new');
  return makes || ['symlink', 'mkdir', 'mknod'].includes(operation.kind) ? operation.path : '';
}

function nameTakenBy(operation) {
  return ['unlink', 'rename', 'rmdir'].includes(operation.kind) ? operation.path : '';
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
  const last = told(finding.crash_operation);
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
