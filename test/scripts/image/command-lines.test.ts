import { describe, expect, it } from 'vitest';
import { buildArguments, runArguments, sizeQueries } from '../../../scripts/image/command-lines.ts';

const build = { context: '.build/images/transcode', tag: 'localhost/image', base: undefined, volumes: [] };

describe('building an image', () => {
  it('with docker omits the attestation, which Lambda rejects', () => {
    expect(buildArguments('docker', build)).toEqual([
      ...['build', '--provenance=false'],
      ...['--tag', 'localhost/image', '.build/images/transcode'],
    ]);
  });

  it('on a local base image pulls nothing from a registry', () => {
    const base = 'localhost/node:24-trixie-slim';
    const volumes = ['/etc/ssl/certs:/etc/ssl/certs:ro'];
    expect(buildArguments('buildah', { ...build, base, volumes })).toEqual([
      ...['bud', '--layers', '--pull-never', '--build-arg', `BASE=${base}`],
      ...['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro'],
      ...['--tag', 'localhost/image', '.build/images/transcode'],
    ]);
  });

  it('with docker rejects mounts, which its build does not support', () => {
    expect(() => buildArguments('docker', { ...build, volumes: ['/a:/b'] })).toThrow('--volume');
  });
});

describe('running a command in an image', () => {
  const start = { image: 'localhost/image', environment: { STAGE: 'local' }, command: ['node', 'a.mjs'] };

  it('uses the host network, where the Runtime API and the emulators run', () => {
    expect(runArguments('podman', start)).toEqual([
      ...['run', '--rm', '--init', '--network', 'host', '--user', '993:990', '--env', 'STAGE=local'],
      ...['--entrypoint', 'node', 'localhost/image', 'a.mjs'],
    ]);
  });

  it('mounts folders, and starts in one of them', () => {
    const inFolder = { ...start, volumes: ['/src:/src:ro'], directory: '/src' };
    const mount = ['--env', 'STAGE=local', '--volume', '/src:/src:ro'];
    expect(runArguments('docker', inFolder)).toEqual(
      expect.arrayContaining([...mount, '--workdir', '/src', '--entrypoint']),
    );
    expect(runArguments('buildah', inFolder)).toEqual([
      ...['run', '--user', '993:990', ...mount],
      ...['--workingdir', '/src', 'localhost/image', '--', 'node', 'a.mjs'],
    ]);
  });

  it('with buildah uses an existing container', () => {
    expect(runArguments('buildah', start)).toEqual([
      ...['run', '--user', '993:990', '--env', 'STAGE=local', 'localhost/image', '--', 'node', 'a.mjs'],
    ]);
  });
});

describe('the size of an image', () => {
  it.each([
    ['docker', '578123456', '578 MB'],
    ['buildah', '[{ "size": "578 MB" }]', '578 MB'],
  ] as const)('is read from what %s answers', (engine, answer, size) => {
    expect(sizeQueries[engine].parse(answer)).toBe(size);
  });
});
