import { parseArgs } from 'node:util';
import { runMain } from '../run-main.ts';
import { packCdk } from './pack-cdk.ts';
import { packClient } from './pack-client.ts';
import { packCli, packMcp } from './pack-programs.ts';
import { packStage } from './pack-stage.ts';

const packages = { client: packClient, cli: packCli, mcp: packMcp, cdk: packCdk, stage: packStage };

const usage = `Packs the packages to publish into .build/packages, and prints their sizes.

  npm run pack -- [${Object.keys(packages).join('] [')}]   all by default`;

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(usage);
  for (const [folder, pack] of Object.entries(packages)) {
    if (positionals.length > 0 && !positionals.includes(folder)) continue;
    const { name, packedBytes, unpackedBytes } = await pack();
    console.log(`${name.padEnd(20)} ${kilobytes(packedBytes)} kB packed, ${kilobytes(unpackedBytes)} kB unpacked`);
  }
});

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
