import { describe, expect, it } from 'vitest';
import { buildArguments, runArguments, sizeQueries } from '../../../scripts/image/command-lines.ts';

const build = { context: '.build/images/transcode', tag: 'localhost/image', base: undefined, volumes: [] };

describe('building an image', () => {
  it('with docker leaves the attestation away, which Lambda refuses', () => {
    expect(buildArguments('docker', build)).toEqual([
      ...['build', '--provenance=false'],
      ...['--tag', 'localhost/image', '.build/images/transcode'],
    ]);
  });

  it('on a base of this machine never asks a registry for it', () => {
    const base = 'localhost/node:24-trixie-slim';
    const volumes = ['/etc/ssl/certs:/etc/ssl/certs:ro'];
    expect(buildArguments('buildah', { ...build, base, volumes })).toEqual([
      ...['bud', '--layers', '--pull-never', '--build-arg', `BASE=${base}`],
      ...['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro'],
      ...['--tag', 'localhost/image', '.build/images/transcode'],
    ]);
  });

  it('with docker refuses to mount, which its build cannot', () => {
    expect(() => buildArguments('docker', { ...build, volumes: ['/a:/b'] })).toThrow('--volume');
  });
});

describe('running a command in an image', () => {
  const start = { image: 'localhost/image', environment: { STAGE: 'local' }, command: ['node', 'a.mjs'] };

  it('takes the network of this machine, where the Runtime API and the emulators are', () => {
    expect(runArguments('podman', start)).toEqual([
      ...['run', '--rm', '--init', '--network', 'host', '--user', '993:990', '--env', 'STAGE=local'],
      ...['--entrypoint', 'node', 'localhost/image', 'a.mjs'],
    ]);
  });

  it('with buildah goes into a container that is there', () => {
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
