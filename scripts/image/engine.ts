import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type Build,
  buildArguments,
  type EngineName,
  engineNames,
  runArguments,
  sizeQuestions,
} from './command-lines.ts';

const run = promisify(execFile);

export type Engine = {
  name: EngineName;
  /** Builds, showing what it does. */
  build(build: Build): Promise<void>;
  /** The size of an image as the engine counts it, such as `578 MB`. */
  size(tag: string): Promise<string>;
  /** Makes a place in which commands run as they would in a container of the image. */
  open(tag: string): Promise<Container>;
};

export type Container = {
  start(command: readonly string[], environment?: Record<string, string>): ChildProcess;
  close(): Promise<void>;
};

/** What tells that an engine can work: for docker, that its daemon answers. */
const isThere: Record<EngineName, string[]> = {
  docker: ['version', '--format', '{{.Server.Version}}'],
  podman: ['info', '--format', '{{.Version.Version}}'],
  buildah: ['--version'],
};

/** Without a container runtime underneath, buildah can neither mount overlays nor start one. */
const environmentOf: Record<EngineName, Record<string, string>> = {
  docker: {},
  podman: {},
  buildah: { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' },
};

/**
 * The engine of this machine.
 *
 * @throws Error where there is none, with what to install
 */
export async function findEngine(wanted?: string): Promise<Engine> {
  const names = engineNames.filter((name) => wanted === undefined || name === wanted);
  for (const name of names) {
    const answers = await run(name, isThere[name]).then(
      () => true,
      () => false,
    );
    if (answers) return engine(name);
  }
  throw new Error(
    `No container engine answers (tried ${names.join(', ') || `"${wanted}"`}). Start Docker, or install buildah.`,
  );
}

function engine(name: EngineName): Engine {
  const env = { ...environmentOf[name], ...process.env };
  const ask = async (words: string[]) => (await run(name, words, { env })).stdout.trim();
  const start = (image: string): Container['start'] => {
    return (command, environment = {}) =>
      // A group of its own, so that one signal reaches whatever it starts.
      spawn(name, runArguments(name, { image, environment, command }), { env, detached: true });
  };
  return {
    name,
    async build(build) {
      const child = spawn(name, buildArguments(name, build), {
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
      if (code !== 0) throw new Error(`${name} ended with code ${code}; its last lines say why.`);
    },
    size: async (tag) => sizeQuestions[name].read(await ask(sizeQuestions[name].arguments(tag))),
    async open(tag) {
      if (name !== 'buildah') return { start: start(tag), close: async () => {} };
      const container = await ask(['from', '--pull-never', tag]);
      return {
        start: start(container),
        close: async () => {
          await ask(['rm', container]);
        },
      };
    },
  };
}
