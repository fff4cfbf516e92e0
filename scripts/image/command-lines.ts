import * as z from 'zod';

/** Container engines, the most common first. */
export const engineNames = ['docker', 'podman', 'buildah'] as const;
export type EngineName = (typeof engineNames)[number];

export type Build = {
  /** The folder with the Dockerfile. */
  context: string;
  tag: string;
  /** Overrides the base image of the Dockerfile. */
  base: string | undefined;
  /** Folders to mount during the build, `from:to:ro`. They are not part of the image. */
  volumes: readonly string[];
};

/** Arguments that build an image. Throws if the engine does not support an option. */
export function buildArguments(engine: EngineName, { context, tag, base, volumes }: Build): string[] {
  const buildArgs = base === undefined ? [] : ['--build-arg', `BASE=${base}`];
  if (engine === 'docker') {
    if (volumes.length > 0) throw new Error('docker build does not support --volume; use podman or buildah.');
    // Lambda rejects images with attestations.
    return ['build', '--provenance=false', ...buildArgs, '--tag', tag, context];
  }
  const mounts = volumes.flatMap((volume) => ['--volume', volume]);
  // A local base image has no registry to pull from.
  const pull = base?.startsWith('localhost/') ? ['--pull-never'] : [];
  return [
    engine === 'buildah' ? 'bud' : 'build',
    '--layers',
    ...pull,
    ...buildArgs,
    ...mounts,
    '--tag',
    tag,
    context,
  ];
}

const buildahImages = z
  .tuple([z.object({ size: z.union([z.string(), z.number()]).transform(String) })])
  .rest(z.unknown());

/** Arguments that print the size of an image, and a parser of the output. 1 MB is 1,000,000 bytes. */
export const sizeQueries: Record<
  EngineName,
  { arguments: (tag: string) => string[]; parse: (output: string) => string }
> = {
  docker: { arguments: inspection, parse: megabytes },
  podman: { arguments: inspection, parse: megabytes },
  buildah: {
    arguments: (tag) => ['images', '--json', tag],
    parse: (output) => buildahImages.parse(JSON.parse(output))[0].size,
  },
};

function inspection(tag: string): string[] {
  return ['image', 'inspect', '--format', '{{.Size}}', tag];
}

function megabytes(bytes: string): string {
  return `${Math.round(Number(bytes) / 1_000_000)} MB`;
}

export type StartOptions = {
  environment?: Record<string, string>;
  /** Folders to mount, `from:to:ro`. */
  volumes?: readonly string[];
  /** Working directory, if it is not that of the image. */
  directory?: string;
};

export type Start = StartOptions & { image: string; command: readonly string[] };

/** An unprivileged user: Lambda does not run images as root. */
const user = ['--user', '993:990'];

/**
 * Arguments that run a command on the host network in an image (buildah: in a container).
 */
export function runArguments(
  engine: EngineName,
  { image, environment = {}, volumes = [], directory, command }: Start,
): string[] {
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const mounts = volumes.flatMap((volume) => ['--volume', volume]);
  if (engine === 'buildah') {
    const workingDirectory = directory === undefined ? [] : ['--workingdir', directory];
    return ['run', ...user, ...variables, ...mounts, ...workingDirectory, image, '--', ...command];
  }
  const [program = '', ...rest] = command;
  return [
    'run',
    '--rm',
    '--init',
    '--network',
    'host',
    ...user,
    ...variables,
    ...mounts,
    ...(directory === undefined ? [] : ['--workdir', directory]),
    '--entrypoint',
    program,
    image,
    ...rest,
  ];
}
