import type { ChunkedWork } from '@media-jobs/video/chunking';
import { chunkedRenditions, type JoinedFragments, joinFragmentTables } from '@media-jobs/video/chunking';
import type { PlannedOutput } from '@media-jobs/video/encoding';
import { formats, readBytes } from '@media-jobs/video/media';
import type { Watch } from '../../core/chunked/watch-job.ts';
import { fileKey } from '../../core/jobs/stored-file.ts';
import { assemblyParts, sizeOf } from '../../core/storage/assembly.ts';
import type { StoredOutput } from '../../core/worker/package-stream.ts';
import type { ChunkPorts } from '../../core/worker/ports.ts';
import type { EncodedChunk, EncodedFile } from './chunk-results.ts';
import { JoinMismatchError, type JoinReader, type TaskResults } from './join.ts';

/** A rendition whose fragments are in the files of its chunks. */
export type JoinedRendition = { output: PlannedOutput; joined: JoinedFragments };

/**
 * The renditions of a stream, by what the tasks of its chunks measured.
 * @throws JoinMismatchError if the files of a rendition do not fit together
 */
export function joinRenditions(work: ChunkedWork, results: TaskResults): JoinedRendition[] {
  const outputs = work.outputs.filter(({ track }) => track?.kind === 'video');
  return chunkedRenditions(work).map(({ chunks }, rendition) => {
    const output = outputs[rendition];
    if (output === undefined) throw new TypeError(`The plan has no output for rendition ${rendition}`);
    const tables = chunks.flatMap(({ task, file }) => results[task]?.renditions?.[file]?.fragmentTable ?? []);
    if (tables.length < chunks.length) {
      throw new JoinMismatchError(`${output.name}: a chunk has no fragments of a stream`);
    }
    const joined = joinFragmentTables(tables);
    if ('defect' in joined) throw new JoinMismatchError(`${output.name}: ${joined.defect}`);
    return { output, joined };
  });
}

/** Reads the frames of renditions as the tasks measured them, instead of all their bytes. */
export function tableReader(renditions: readonly JoinedRendition[]): { readFrameIndex: JoinReader['readFrameIndex'] } {
  return {
    async readFrameIndex(path) {
      const found = renditions.find(({ output }) => path.endsWith(`/${output.filename}`));
      if (found === undefined) throw new TypeError(`${path} is no rendition of the stream`);
      return found.joined.frames;
    },
  };
}

type Context = { watch: { job: Watch['job'] }; signal: AbortSignal };

type Encoded = {
  work: ChunkedWork;
  encoded: readonly EncodedChunk[];
  renditions: readonly JoinedRendition[];
  /** Of the keys of all files of the stream. */
  prefix: string;
};

/**
 * Assembles the renditions of a stream in the bucket: S3 copies the fragments of the chunks behind a header and an index.
 * Returns the finished objects by their filenames.
 */
export async function assembleStream(
  deps: ChunkPorts,
  { work, encoded, renditions, prefix }: Encoded,
  context: Context,
): Promise<Map<string, StoredOutput>> {
  const objects: Record<string, EncodedFile> = {};
  for (const [number, { output, joined }] of renditions.entries()) {
    const files = filesOf({ work, encoded }, number);
    const ranges = [
      { bytes: await readInit(deps, files[0], { joined, context }) },
      { bytes: joined.index },
      ...files.map(({ key, etag, mediaOffset, sizeBytes }) => ({ key, etag, start: mediaOffset, end: sizeBytes })),
    ];
    const { filename, format } = output;
    const { mimeType } = formats[format];
    const key = fileKey(prefix, output);
    const file = { key, mimeType, parts: assemblyParts(ranges), signal: context.signal };
    objects[filename] = { key, sizeBytes: sizeOf(ranges), ...(await deps.files.assemble(file)) };
  }
  return probeObjects(deps, { renditions, objects }, context);
}

type ChunkFile = EncodedFile & { mediaOffset: number };

/**
 * The files of the chunks of a rendition, in their order.
 * @throws JoinMismatchError if a file has other bytes than its task wrote
 */
function filesOf({ work, encoded }: Pick<Encoded, 'work' | 'encoded'>, rendition: number): ChunkFile[] {
  const { chunks = [] } = chunkedRenditions(work)[rendition] ?? {};
  return chunks.flatMap(({ task, file }, number) => {
    const { files, result } = encoded[task] ?? { files: [], result: undefined };
    const [stored, table] = [files[file], result?.renditions?.[file]?.fragmentTable];
    if (stored === undefined || table === undefined) return [];
    const expected = table.fragments.reduce((sum, { sizeBytes }) => sum + sizeBytes, table.mediaOffset);
    if (stored.sizeBytes !== expected) {
      throw new JoinMismatchError(`Chunk ${number + 1} has ${stored.sizeBytes} bytes; expected ${expected}`);
    }
    return [{ ...stored, mediaOffset: table.mediaOffset }];
  });
}

/** `ftyp` and `moov` of the first chunk. */
async function readInit(
  deps: ChunkPorts,
  file: ChunkFile | undefined,
  { joined, context: { watch, signal } }: { joined: JoinedFragments; context: Context },
): Promise<Uint8Array> {
  if (file === undefined) throw new TypeError('A rendition has no chunk');
  await using proxy = await deps.openRangeProxy({ first: file }, { job: watch.job, signal });
  const range = { offset: 0, sizeBytes: joined.file.initBytes };
  const init = await readBytes((offset, length) => proxy.readAt('first', offset, length), range);
  if (proxy.failure() !== undefined) throw proxy.failure();
  return init;
}

/** Reads the finished objects as a player does: their header, their index and the first fragments. */
async function probeObjects(
  { media, openRangeProxy }: ChunkPorts,
  { renditions, objects }: { renditions: Encoded['renditions']; objects: Readonly<Record<string, EncodedFile>> },
  { watch: { job }, signal }: Context,
): Promise<Map<string, StoredOutput>> {
  await using proxy = await openRangeProxy(objects, { job, signal });
  const stored = new Map<string, StoredOutput>();
  for (const { output, joined } of renditions) {
    const { filename } = output;
    const { file, keyframes, frames, hasCaptions } = joined;
    const { sizeBytes = 0 } = objects[filename] ?? {};
    const remote = { readAt: (offset: number, length: number) => proxy.readAt(filename, offset, length), sizeBytes };
    const probe = await media.probe(proxy.urlOf(filename), { signal: proxy.signal, remote, role: 'output' as const });
    const frameSeconds = [...frames.pts].map((ticks) => ticks / file.ticksPerSecond);
    stored.set(filename, { sizeBytes, probe, fragments: { file, keyframes, frameSeconds, hasCaptions } });
  }
  if (proxy.failure() !== undefined) throw proxy.failure();
  return stored;
}
