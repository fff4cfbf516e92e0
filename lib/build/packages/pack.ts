import { parseArgs } from 'node:util';
import { runMain } from '../run-main.ts';
import { packClient } from './pack-client.ts';

const usage = `Packs the packages to publish into .build/packages, and prints their sizes.

  npm run pack`;

await runMain(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(usage);
  for (const { name, packedBytes, unpackedBytes } of [await packClient()]) {
    console.log(`${name.padEnd(20)} ${kilobytes(packedBytes)} kB packed, ${kilobytes(unpackedBytes)} kB unpacked`);
  }
});

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
