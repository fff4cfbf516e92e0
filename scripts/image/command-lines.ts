/** Programs that build images and run them, the most common first. */
export const engineNames = ['docker', 'podman', 'buildah'] as const;
export type EngineName = (typeof engineNames)[number];

export type Build = {
  /** The folder with the Dockerfile. */
  context: string;
  tag: string;
  /** An image to build on instead of the one that the Dockerfile names. */
  base: string | undefined;
  /** Folders of this machine to see while building, `from:to:ro`: certificates, registries. They stay out of it. */
  volumes: readonly string[];
};

/** The arguments that build an image. Throws where the engine cannot do what is asked. */
export function buildArguments(engine: EngineName, { context, tag, base, volumes }: Build): string[] {
  const buildArgs = base === undefined ? [] : ['--build-arg', `BASE=${base}`];
  if (engine === 'docker') {
    if (volumes.length > 0) throw new Error('docker build takes no --volume; podman and buildah do.');
    // Lambda refuses an image with an attestation beside it.
    return ['build', '--provenance=false', ...buildArgs, '--tag', tag, context];
  }
  const mounts = volumes.flatMap((volume) => ['--volume', volume]);
  // A base of this machine has no registry to be newer in.
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

/** The arguments that tell the size of an image, and how to read the answer. Megabytes are of 1,000,000 bytes. */
export const sizeQuestions: Record<
  EngineName,
  { arguments: (tag: string) => string[]; read: (answer: string) => string }
> = {
  docker: { arguments: inspection, read: megabytes },
  podman: { arguments: inspection, read: megabytes },
  buildah: {
    arguments: (tag) => ['images', '--json', tag],
    read: (answer) => String(JSON.parse(answer)[0].size),
  },
};

function inspection(tag: string): string[] {
  return ['image', 'inspect', '--format', '{{.Size}}', tag];
}

function megabytes(bytes: string): string {
  return `${Math.round(Number(bytes) / 1_000_000)} MB`;
}

export type Start = { image: string; environment: Record<string, string>; command: readonly string[] };

/** Nobody whom the image knows: Lambda runs none as root. */
const user = ['--user', '993:990'];

/**
 * The arguments that run a command in an image, or in a container made of one where the engine is buildah, on the
 * network of this machine.
 */
export function runArguments(engine: EngineName, { image, environment, command }: Start): string[] {
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  if (engine === 'buildah') return ['run', ...user, ...variables, image, '--', ...command];
  const [program = '', ...rest] = command;
  return [
    'run',
    '--rm',
    '--init',
    '--network',
    'host',
    ...user,
    ...variables,
    '--entrypoint',
    program,
    image,
    ...rest,
  ];
}
