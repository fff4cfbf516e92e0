import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildDirectory, root } from '../lib/build/paths.ts';
import { runMain } from '../lib/build/run-main.ts';
import { type Component, imageComponents } from './sbom/image-components.ts';

const usage = `Writes the bills of materials of what a stage deploys, in CycloneDX 1.5: .build/sbom/functions.json has the packages that the
bundles of the functions are made of, .build/sbom/image.json those of the workers' image.

  npm run sbom -- [--packages FILE]    FILE: /opt/share/packages.tsv of a built image, with every package of Debian in it

Without it, the image has Debian's pinned packages and not the libraries that they load.
`;

const run = promisify(execFile);

type Bill = { metadata: { component: { name: string } }; components: Component[] };

/** The packages of a lock file that are installed for production. */
async function billOf(folder: string, name: string): Promise<Bill> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const { stdout } = await run('npm', args, { cwd: path.join(root, folder), maxBuffer: 64 * 2 ** 20 });
  const bill = JSON.parse(stdout) as Bill;
  return { ...bill, metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } } };
}

async function write(file: string, bill: Bill): Promise<void> {
  const target = path.join(buildDirectory, 'sbom', file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify(bill, undefined, 2)}\n`);
  console.log(`${path.relative(root, target)}: ${bill.components.length} components`);
}

await runMain(async () => {
  const { values } = parseArgs({
    options: { packages: { type: 'string' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(usage);
  await write('functions.json', await billOf('.', 'media-jobs functions'));
  const image = await billOf('functions/transcode/runtime-client', 'media-jobs image');
  const installed = values.packages && (await readFile(values.packages, 'utf8'));
  image.components.push(...(await imageComponents(installed)));
  await write('image.json', image);
});
