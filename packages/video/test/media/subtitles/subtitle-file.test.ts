import { expect, it } from 'vitest';
import { detectableSubtitles } from '../../../src/media/subtitles/subtitle-file.ts';

const cue = '00:00:01,000 --> 00:00:02,000\nGrüße\n';
const numbered = Buffer.from(`1\n${cue}`);
const utf16le = (text: string) => Buffer.from(text, 'utf16le');

it.each([
  ['SRT without index numbers', Buffer.from(cue)],
  ['the same after a byte order mark and an empty line', Buffer.from(`\ufeff\r\n${cue}`)],
  ['the same in UTF-16', utf16le(`\ufeff${cue}`)],
  ['UTF-16 without a byte order mark', utf16le(`1\n${cue}`)],
  ['the same with the high byte first', utf16le(`1\n${cue}`).swap16()],
  ['UTF-16 with the high byte first', utf16le(`\ufeff1\n${cue}`).swap16()],
])('%s becomes SRT in UTF-8', (_, file) => expect(Buffer.from(detectableSubtitles(file))).toEqual(numbered));

it.each([
  ['SRT in UTF-8', numbered],
  ['SRT in Latin-1', Buffer.from(`1\n${cue}`, 'latin1')],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x31, 0, 0, 0])],
  ['WebVTT', Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n')],
  ['MP4', Buffer.from([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70])],
  ['an empty file', Buffer.alloc(0)],
])('%s stays as it is', (_, file) => expect(detectableSubtitles(file)).toBe(file));
