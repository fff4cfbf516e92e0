import { crc32 } from 'node:zlib';
import { box, boxAt, bytesOf, fullBox, type ReadAt } from '../boxes.ts';
import type { Format } from '../formats.ts';
import { findMovie, tracksOf } from '../mp4/find-track.ts';
import { matroskaIds, matroskaTracks, textAt } from '../probe/stated-languages.ts';

/** A file of this disk that is changed in place. */
export type EditedFile = {
  readAt: ReadAt;
  writeAt(offset: number, bytes: Uint8Array): Promise<void>;
  sizeBytes: number;
};

/** Enough for every registered tag (RFC 5646, 4.4.1). A longer one has private parts. */
const maxTagLength = 35;

/** The name that ffmpeg gives the handler of a track without a title. */
const handlers = { a: 'SoundHandler', s: 'SubtitleHandler' };

/**
 * The metadata by which ffmpeg writes language and title of a track. ffmpeg knows languages of three letters only. For a tag
 * of BCP 47 it writes a text that is as long as the tag's own element or box, which `writeLanguageTags` puts in its place.
 * Players show the name of the handler as the title in MP4 and MOV.
 */
export function trackTags(
  track: { language?: string | undefined; tag?: string | undefined; title?: string | undefined },
  { kind, format }: { kind: 'a' | 's'; format: Format },
): Record<string, string | undefined> {
  const { language, title } = track;
  const tag = (track.tag?.length ?? 0) > maxTagLength ? undefined : track.tag;
  const isMovie = format === 'mp4' || format === 'mov' || format === 'm4a';
  if (isMovie) {
    const name = format === 'mov' ? title && cutOff(title) : title;
    const room = tag === undefined ? undefined : `${name ?? handlers[kind]}|language=${tag}|||`;
    return { language, handler_name: room ?? name };
  }
  const isMatroska = format === 'mkv' || format === 'webm';
  return { language: isMatroska && tag !== undefined ? `${language ?? 'und'}=${tag}===` : language, title };
}

/** Names in MOV begin with a byte of their length, which ffmpeg reads as a signed one. */
const maxNameBytes = 127;

function cutOff(title: string): string {
  return new TextDecoder().decode(Buffer.from(title).subarray(0, maxNameBytes), { stream: true });
}

const inCode = /^([a-z]{3})=([a-zA-Z0-9-]+)===$/;
/** Ends the name: titles come from sources and may hold the same text. */
const inHandler = /\|language=([a-zA-Z0-9-]+)\|\|\|\0?$/;

/** Whether a command writes texts that `writeLanguageTags` has to replace. */
export function leavesLanguageTags(outputArguments: readonly unknown[]): boolean {
  return outputArguments.some(
    (argument) => typeof argument === 'string' && /^(language=[a-z]{3}=|handler_name=.*\|language=)/s.test(argument),
  );
}

/** Writes the tags of BCP 47 of a file of Matroska (RFC 9559, `LanguageBCP47`) or MP4 (ISO/IEC 14496-12, `elng`) that ffmpeg has finished. */
export async function writeLanguageTags(file: EditedFile): Promise<void> {
  await tagMatroska(file);
  await tagMovie(file);
}

async function tagMatroska({ readAt, writeAt, sizeBytes }: EditedFile): Promise<void> {
  const { entries, checksum, end } = await matroskaTracks(readAt, sizeBytes);
  for (const elements of entries) {
    const code = elements.find(({ id }) => id === matroskaIds.code);
    const [, language, tag] = (code && inCode.exec(await textAt(readAt, code))) ?? [];
    if (code === undefined || language === undefined || tag === undefined) continue;
    const both = [element(matroskaIds.code, language), element(matroskaIds.language, tag)];
    await writeAt(code.start - elementHeaderBytes, Buffer.concat(both));
  }
  if (checksum === undefined) return;
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(await readAt(checksum.end, end - checksum.end)));
  await writeAt(checksum.start, sum);
}

async function tagMovie({ readAt, writeAt, sizeBytes }: EditedFile): Promise<void> {
  const movie = await findMovie(readAt, sizeBytes);
  for (const track of movie ? tracksOf(movie.content) : []) {
    const content = boxAt(track.content, 'mdia', 'hdlr');
    const room = content && inHandler.exec(Buffer.from(bytesOf(content)).toString('latin1'));
    if (movie === undefined || content === undefined || !room) continue;
    const bytes = bytesOf(content);
    const at = movie.start + content.byteOffset - movie.content.byteOffset;
    const isText = bytes.at(-1) === 0;
    const handler = Buffer.concat([bytes.subarray(0, room.index), bytes.subarray(isText ? -1 : bytes.length)]);
    // The name ends with 0 in MP4, and begins with its length in MOV.
    if (!isText) handler.writeUInt8(handler.length - handlerNameStart - 1, handlerNameStart);
    const tag = fullBox('elng', Buffer.from(`${room[1]}\0`, 'latin1'));
    await writeAt(at - boxHeaderBytes, Buffer.concat([box('hdlr', handler), tag]));
  }
}

/** Version, the types of component and handler, three reserved integers. */
const handlerNameStart = 24;
const boxHeaderBytes = 8;
/** An ID of three bytes and a size of one. */
const elementHeaderBytes = 4;

function element(id: number, text: string): Uint8Array {
  const header = Buffer.alloc(elementHeaderBytes);
  header.writeUIntBE(id, 0, 3);
  header.writeUInt8(0x80 | text.length, 3);
  return Buffer.concat([header, Buffer.from(text, 'latin1')]);
}
