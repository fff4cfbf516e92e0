import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../lib/build/paths.ts';

/** A component of a CycloneDX bill. */
export type Component = { 'bom-ref': string; type: string; name: string; version: string; purl: string };

/**
 * What the image has besides packages of npm: its base, Debian's packages and vmaf.
 *
 * @param installed lines of package, version and architecture, separated by tabs. Undefined: the pinned packages
 */
export async function imageComponents(installed: string | undefined): Promise<Component[]> {
  const read = async (file: string) => (await readFile(path.join(root, file), 'utf8')).trim();
  const [, base = '', digest = ''] =
    /^ARG BASE=\S+\/(node:\S+)@(sha256:\w+)$/m.exec(await read('functions/transcode/Dockerfile')) ?? [];
  const [, vmaf = ''] = /\/tags\/(\S+)\.tar\.gz/.exec(await read('layers/vmaf/source')) ?? [];
  const pinned = [
    `ffmpeg\t${await read('layers/ffmpeg/version')}\tany`,
    `fonts-dejavu-core\t${await read('layers/ffmpeg/fonts-version')}\tall`,
  ].join('\n');
  const packages = (installed ?? pinned)
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  return [
    component('container', 'node', base.replace('node:', ''), `pkg:docker/node@${encodeURIComponent(digest)}`),
    component('application', 'vmaf', vmaf, `pkg:github/netflix/vmaf@${vmaf}`),
    ...packages.map(([name = '', version = '', architecture = '']) =>
      component(
        'library',
        name,
        version,
        `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=trixie`,
      ),
    ),
  ];
}

function component(type: string, name: string, version: string, purl: string): Component {
  if (name === '' || version === '') throw new Error(`A component has no name or version: ${purl}`);
  return { 'bom-ref': purl, type, name, version, purl };
}
