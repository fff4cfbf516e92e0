'use strict';
// Takes the credentials that start.sh wrote to a pipe, before any other code runs. Variables that Node sets are in its
// memory only: /proc/<pid>/environ shows those of the start.
const fs = require('node:fs');

const descriptor = 3;
for (const line of fs.readFileSync(descriptor, 'utf8').split('\n')) {
  const [, name, value] = /^(AWS_\w+)=(.+)$/.exec(line) ?? [];
  // biome-ignore lint/style/noProcessEnv: the AWS clients read their credentials there
  if (name !== undefined) process.env[name] = value;
}
fs.closeSync(descriptor);
