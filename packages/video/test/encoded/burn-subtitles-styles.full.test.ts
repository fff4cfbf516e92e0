// @module-tag subtitles
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { findFonts } from '../../src/local-programs.ts';
import { decodeFrameAt, type MeasuredFrame } from '../builders/measure/frame-at.ts';
import { ssim } from '../builders/measure/measure-video.ts';
import { clipWith } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { concatScriptOf, playlistOf, svgOf, writeTestFile } from '../builders/media/hostile-files.ts';
import { type EncodedOutput, encodeOne } from '../builders/recipes/encode.ts';

const srt = (text: string) => `1\n00:00:00,500 --> 00:00:01,500\n${text}\n`;
const assPage = `[Script Info]
ScriptType: v4.00+
PlayResX: 1920
PlayResY: 1080

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,90,&H000000FF,0,8,0,0,0,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;
const ass = (text: string) => `${assPage}Dialogue: 0,0:00:00.50,0:00:01.50,Default,,0,0,0,,${text}\n`;

describe('burned-in subtitles', () => {
  it.each([
    ['SRT', 'a.srt', srt('Grüße aus Genève')],
    ['SRT in UTF-16', 'a.srt', Buffer.from(`\ufeff${srt('Grüße aus Genève')}`, 'utf16le')],
    ['SRT without index numbers', 'a.srt', srt('Grüße aus Genève').slice(2)],
    ['WebVTT', 'a.vtt', 'WEBVTT\n\n00:00.500 --> 00:01.500 line:0\nGrüße <c.loud>aus</c> Genève\n'],
    ['ASS', 'a.ass', ass('{\\pos(0,0)\\fs300}Grüße aus Genève')],
  ])('of %s appear only at their time and position', async (_, name, content) => {
    const source = await clipWith();
    const { path } = await burnt(source, content, { name });
    const bottom = 'crop=320:40:0:140';
    const of = (filters: string) => ssim({ path, filters }, { path: source, filters });
    const during = 'trim=start=0.5:end=1.5';
    expect(await of('crop=320:140:0:0')).toBeGreaterThan(0.96);
    expect(await of(`trim=end=0.48,${bottom}`)).toBeGreaterThan(0.96);
    expect(await of(`trim=start=1.5,${bottom}`)).toBeGreaterThan(0.96);
    expect(await of(`${during},${bottom}`)).toBeLessThan(0.9);
    // All formats have the same text, which must look the same.
    const reference = await burnt(source, srt('Grüße aus Genève'));
    expect(await ssim({ path, filters: bottom }, { path: reference.path, filters: bottom })).toBeGreaterThan(0.97);
  });

  it.each([
    ['bottom', 140, 180],
    ['center', 60, 120],
    ['top', 0, 40],
  ] as const)('appear at the %s', async (position, from, to) => {
    const { top, bottom, left, right } = textIn(await shown(srt('Where?'), { position }));
    expect([top > from, bottom < to]).toEqual([true, true]);
    expect((left + right) / 2).toBeCloseTo(160, -1);
  });

  it('have the requested size and color, and a box on request', async () => {
    const heightOf = ({ top, bottom }: Box) => bottom - top;
    const small = textIn(await shown(srt('Size'), { fontSize: 10 }));
    const large = textIn(await shown(srt('Size'), { fontSize: 20 }));
    const two = textIn(await shown(srt('Size\nSize'), { fontSize: 10 }));
    expect(heightOf(large) / heightOf(small)).toBeCloseTo(2, 0);
    expect(heightOf(two)).toBeGreaterThan(heightOf(small) * 1.6);
    const red = await shown(srt('MMMM'), { fontSize: 20, color: '#ff0000' });
    expect(pixels(red).filter(([r = 0, g = 0, b = 0]) => r > 200 && g < 60 && b < 60).length).toBeGreaterThan(200);
    const boxed = await shown(srt('MMMM'), { background: 'box' });
    expect(pixels(boxed).filter(([r = 255]) => r < 70).length).toBeGreaterThan(500);
  });

  it('have a size relative to the width of a portrait video', async () => {
    const upright = await decodeFrameAt((await burnt(await aSheet('180x320'), srt('Size'))).path, 1);
    const lying = await shown(srt('Size'));
    const [a, b] = [textIn(upright), textIn(lying)];
    expect(Math.abs(a.right - a.left - (b.right - b.left))).toBeLessThanOrEqual(4);
  });

  it('are shaped and set from right to left for Arabic script', async () => {
    const [hebrew, forced, reversed] = await Promise.all(
      ['שלום', '\u202dםולש', '\u202dשלום'].map((text) => shown(srt(text), { fontSize: 20 })),
    );
    expect(difference(hebrew, forced)).toBeLessThan(20);
    expect(difference(hebrew, reversed)).toBeGreaterThan(200);
    const [joined, apart] = await Promise.all(
      ['سلام', 'س\u200cل\u200cا\u200cم'].map((text) => shown(srt(text), { fontSize: 20 })),
    );
    expect(difference(joined, apart)).toBeGreaterThan(100);
  });

  it('have no cue that ends before it starts', async () => {
    const reversed = '2\n00:00:00,900 --> 00:00:00,200\nSign\n';
    const plain = await shown(srt('Exit'));
    expect(difference(plain, await shown(`${srt('Exit')}\n${reversed}`))).toBe(0);
  });

  it('of ASS have no drawings', async () => {
    const sign = '{\\p1}m 0 0 l 100 0 100 20 0 20{\\p0}';
    const plain = await shown(srt('Exit'));
    expect(difference(plain, await shown(ass(`${sign}Exit`)))).toBe(0);
    const both = `${ass(sign)}${ass('Exit').slice(assPage.length)}`;
    expect(difference(plain, await shown(both))).toBe(0);
  });

  it('use only the fonts of the fonts directory', async () => {
    const fontsDirectory = join(await aTemporaryFolder(), "it's [a], b;c: \\d");
    await cp(join(findFonts(), 'DejaVuSans.ttf'), join(fontsDirectory, 'DejaVuSans.ttf'), { recursive: true });
    const known = await shown(srt('Font'));
    expect(difference(known, await shown(srt('<font face="Arial">Font</font>')))).toBe(0);
    expect(difference(known, await shown(srt('Font'), {}, fontsDirectory))).toBe(0);
    await expect(shown(srt('Font'), {}, await aTemporaryFolder())).rejects.toThrow('The fonts directory has no fonts');
  });
});

describe('a subtitle file is rejected', () => {
  it.each([
    ['a playlist', playlistOf('/etc/passwd'), /INPUT_(FORBIDDEN|NOT_MEDIA)/],
    ['a concat script', concatScriptOf('/etc/passwd'), /INPUT_(FORBIDDEN|NOT_MEDIA)/],
    ['a drawing', svgOf('file:///etc/passwd'), /INPUT_(FORBIDDEN|NOT_MEDIA)/],
    ['empty', '', /INPUT_NOT_MEDIA/],
    ['without a cue', 'WEBVTT\n\n', /INPUT_UNSUPPORTED/],
    ['without a text', ass('{\\i1}'), /INPUT_UNSUPPORTED.*no text/],
    ['of drawings only', ass('{\\p1}m 0 0 l 999 0 999 999{\\p0}'), /INPUT_UNSUPPORTED.*no text/],
    [
      'not in UTF-8',
      Buffer.from(`${srt('plain')}\n2\n00:00:01,500 --> 00:00:02,000\nGr\xfc\xdfe\n`, 'latin1'),
      /UTF-8/,
    ],
    ['in Windows-1251', Buffer.from(srt('\xcf\xf0\xe8\xe2\xe5\xf2'), 'latin1'), /INPUT_UNSUPPORTED.*UTF-8/],
    ['in characters that the font lacks', srt('中文'), /no character 中 \(U\+4E2D\)/],
  ])('that is %s', async (_, content, error) => {
    const rejection = burnt(await aSheet(), content).catch(({ code, message }) => `${code} ${message}`);
    expect(await rejection).toMatch(error);
  });

  it('that is a video', async () => {
    const files = { inputs: [await aSheet()], assets: { subtitles: await clipWith() } } as const;
    await expect(encodeOne(files, 'mp4', request())).rejects.toMatchObject({ code: expect.stringMatching(/^INPUT_/) });
  });
});

it.each([
  ['drawing', srt('{\\p1}m 0 0 l 999 0 999 999 0 999{\\p0}')],
  ['moving', srt('{\\move(0,0,300,100)}{\\pos(10,10)}x')],
  ['as large as can be', srt('<font size="999999">x</font>')],
  ['control characters', srt('a\u0001\u0007\u001b[2J\u202eb\r\u0000c')],
  ['tags without end', srt('<b><i><u>'.repeat(2000))],
])('hostile subtitle text is harmless: %s', async (_, content) => {
  const { path } = await burnt(await aSheet(), content);
  const upper = 'crop=320:100:0:0,trim=end=1.9';
  expect(await ssim({ path, filters: upper }, { path: await aSheet(), filters: upper })).toBeGreaterThan(0.9);
});

type Style = { fontSize?: number; position?: 'bottom' | 'center' | 'top'; color?: string; background?: 'box' };

function request(style: Style = {}) {
  return { name: 'burn-subtitles', subtitles: 'https://example.com/a.srt', fontSize: 10, ...style } as const;
}

async function burnt(
  source: string,
  content: string | Buffer,
  { name = 'a.srt', style = {}, ...fonts }: { name?: string; style?: Style; fontsDirectory?: string } = {},
): Promise<EncodedOutput> {
  const subtitles = await writeTestFile(await aTemporaryFolder(), name, content);
  return encodeOne({ inputs: [source], assets: { subtitles }, ...fonts }, 'mp4', request(style));
}

/** Two seconds of grey. */
function aSheet(size = '320x180'): Promise<string> {
  const grey = ['-f', 'lavfi', '-i', `color=gray:size=${size}:rate=5:duration=2`, '-c:v', 'libx264'];
  return generatedFile('grey.mp4', grey);
}

/** The frame in the middle of a grey video with these subtitles. */
async function shown(content: string, style: Style = {}, fontsDirectory?: string): Promise<MeasuredFrame> {
  const fonts = fontsDirectory === undefined ? {} : { fontsDirectory };
  return decodeFrameAt((await burnt(await aSheet(), content, { style, ...fonts })).path, 1);
}

type Box = { top: number; bottom: number; left: number; right: number };

/** The bounds of the nearly white pixels of a grey frame. */
function textIn(frame: MeasuredFrame): Box {
  const positions = pixels(frame).flatMap(([red = 0, ...others], index) =>
    Math.min(red, ...others) > 190 ? [[index % frame.width, Math.floor(index / frame.width)] as const] : [],
  );
  if (positions.length === 0) throw new Error('No text is seen');
  const [across, down] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
  return { top: Math.min(...down), bottom: Math.max(...down), left: Math.min(...across), right: Math.max(...across) };
}

function pixels({ width, height, colour }: MeasuredFrame): number[][] {
  return Array.from({ length: width * height }, (_, index) => colour(index % width, Math.floor(index / width)));
}

/** The number of pixels that differ. */
function difference(one: MeasuredFrame | undefined, other: MeasuredFrame | undefined): number {
  if (!one || !other) throw new Error('There is nothing to compare');
  const others = pixels(other);
  return pixels(one).filter(([red = 0], index) => Math.abs(red - (others[index]?.[0] ?? 0)) > 60).length;
}
