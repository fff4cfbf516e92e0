import { readFile } from 'node:fs/promises';
import { runMain } from '../lib/build/run-main.ts';
import { type LicensedPackage, licenceProblems } from './licences/licence-problems.ts';

type LockedPackage = { license?: string; link?: boolean };
type Manifest = { license?: string; licenses?: readonly { type: string }[] };

/** The licence that a package states, in the lock file or in the older form of its own manifest. */
async function licenceOf(folder: string, { license }: LockedPackage): Promise<string> {
  if (license !== undefined) return license;
  const manifest = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as Manifest;
  return manifest.license ?? (manifest.licenses ?? []).map(({ type }) => type).join(' OR ');
}

/** The dependencies in the lock file, without the packages of this project. */
async function readDependencies(): Promise<LicensedPackage[]> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const dependencies = Object.entries(packages).filter(
    ([folder, { link }]) => folder.includes('node_modules/') && !link,
  );
  return Promise.all(
    dependencies.map(async ([folder, locked]) => ({
      name: folder.split('node_modules/').at(-1) ?? folder,
      licence: await licenceOf(folder, locked),
    })),
  );
}

await runMain(async () => {
  const dependencies = await readDependencies();
  const problems = licenceProblems(dependencies);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`The licences of ${dependencies.length} dependencies are allowed.`);
});
