'use strict';
// Runs before any other code. Shuts this process to others of its user, where the launcher is: only a native module can.
// Then takes the credentials that start.sh wrote to a pipe: variables that Node sets are in its memory only, while
// /proc/<pid>/environ shows those of the start.
const fs = require('node:fs');
const path = require('node:path');

// biome-ignore lint/style/noProcessEnv: no other code has run
const { LAUNCHER_DIRECTORY: launcher } = process.env;
if (launcher) process.dlopen({ exports: {} }, path.join(launcher, 'undumpable.node'));

const descriptor = 3;
for (const line of fs.readFileSync(descriptor, 'utf8').split('\n')) {
  const [, name, value] = /^(AWS_\w+)=(.+)$/.exec(line) ?? [];
  // biome-ignore lint/style/noProcessEnv: the AWS clients read their credentials there
  if (name !== undefined) process.env[name] = value;
}
fs.closeSync(descriptor);
