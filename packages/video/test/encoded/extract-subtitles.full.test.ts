// @module-tag subtitles
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { clipWithSubtitles, srtOf } from '../builders/media/subtitled-clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const german = { text: srtOf('Grüße aus <i>Köln</i>', 'Süß &\nsaftig'), language: 'ger' };
const chinese = { text: srtOf('你好，世界', '日本語'), language: 'chi', disposition: 'default' };
const bilingual = () => clipWithSubtitles('mkv', 'copy', [german, chinese]);

async function extracted(source: string, format: 'srt' | 'vtt', options: { track?: number; language?: string } = {}) {
  const output = await encodeOne(source, format, { name: 'extract-subtitles', ...options });
  return { ...output, text: await readFile(output.path, 'utf8') };
}

describe('extract-subtitles', () => {
  it('extracts the track of a language with all its characters', async () => {
    const { text, probe } = await extracted(await bilingual(), 'srt', { language: 'de' });
    expect(text).toBe(german.text);
    expect(probe).toMatchObject({ durationSeconds: 1.9, streams: [{ kind: 'subtitle', codec: 'subrip' }] });
  });

  it('extracts the default track as WebVTT by default', async () => {
    const { text, probe } = await extracted(await bilingual(), 'vtt');
    expect(text).toMatch(/^WEBVTT\n\n00:00\.200 --> 00:00\.900\n你好，世界\n\n00:01\.200 --> 00:01\.900\n日本語\n/);
    expect(probe).toMatchObject({ durationSeconds: 1.9, streams: [{ kind: 'subtitle', codec: 'webvtt' }] });
  });

  it('extracts a track by its index', async () => {
    expect((await extracted(await bilingual(), 'srt', { track: 1 })).text).toBe(chinese.text);
  });

  it('extracts a track that lasts longer than the video', async () => {
    const text = '1\n00:00:01,000 --> 00:10:00,000\nlong\n\n';
    const { probe } = await extracted(await clipWithSubtitles('mp4', 'mov_text', [{ text }]), 'srt');
    expect(probe.durationSeconds).toBe(600);
  });

  it('keeps the positions of an SRT track in WebVTT', async () => {
    const times = '00:00:00,200 --> 00:00:00,900';
    const together = `9\n${times}\nbottom\n\n9\n${times}\n{\\an8}<i>top</i>\n\n`;
    const texts = ['{\\an5}middle\nline', 'left {\\b1\\an7}top{\\an2}', '{\\an3}right', '{an8}'];
    const source = await clipWithSubtitles('mkv', 'copy', [{ text: `${together}${srtOf('', ...texts)}` }]);
    const { text } = await extracted(source, 'vtt');
    const cues = [...text.matchAll(/00:0.\.900(.*)\n(.+)/g)].map(([, settings, line]) => [settings, line]);
    expect(cues).toEqual([
      ['', 'bottom'],
      [' line:0', '<i>top</i>'],
      [' line:50%', 'middle'],
      [' line:0 align:left', expect.stringContaining('left')],
      [' align:right', 'right'],
      ['', expect.anything()],
    ]);
  });

  it('copies a WebVTT track', async () => {
    const text = 'WEBVTT\n\nname\n00:00.200 --> 00:00.900 line:0 align:start\n<v Tom>1 &lt; 2\n';
    const source = await clipWithSubtitles('mkv', 'copy', [{ text }]);
    expect((await extracted(source, 'vtt')).text).toBe(text);
  });

  it('extracts the caption track of a QuickTime file', async () => {
    const codes = '9420 9420 9470 9470 c8e5 ecec ef80 942f 942f';
    const text = `Scenarist_SCC V1.0\n\n00:00:00:05\t${codes}\n\n00:00:01:15\t942c 942c\n`;
    const source = await clipWithSubtitles('mov', 'copy', [{ text }]);
    expect((await extracted(source, 'srt')).text).toMatch(/-->.*\nHello\n/);
  });

  it('extracts the tracks of an MP4', async () => {
    const source = await clipWithSubtitles('mp4', 'mov_text', [german, { ...chinese, language: 'zho' }]);
    const { text } = await extracted(source, 'vtt', { language: 'deu' });
    expect(text).toContain('Grüße aus <i>Köln</i>\n');
    expect(text).toContain('Süß &amp;\nsaftig\n');
    expect((await extracted(source, 'srt', { language: 'zh' })).text).toBe(chinese.text);
  });

  it('drops the fonts of a styled track and keeps its text', async () => {
    const source = await clipWithSubtitles('mkv', 'ass', [{ text: styled }]);
    expect((await extracted(source, 'srt')).text).toContain('900\nTom <3 Ann\n');
    expect((await extracted(source, 'vtt')).text).toContain('900\n<i>Tom</i> &lt;3 Ann');
  });

  it('leaves out the drawings of a styled track', async () => {
    const sign = '{\\p1}m 0 0 l 100 0 100 -20.5 0 50 b 1 2 3 4 5 6{\\p0}';
    const events = [`${sign} Exit`, sign, 'I am 5 6 l 7 8'].map(
      (text, index) => `Dialogue: 0,0:00:0${index}.20,0:00:0${index}.90,Default,,0,0,0,,${text}\n`,
    );
    const text = styled.replace(/^Dialogue.*\n$/m, events.join(''));
    const source = await clipWithSubtitles('mkv', 'ass', [{ text }]);
    expect((await extracted(source, 'vtt')).text).toBe(
      'WEBVTT\n\n00:00.200 --> 00:00.900\nExit\n\n00:02.200 --> 00:02.900\nI am 5 6 l 7 8\n',
    );
    expect((await extracted(source, 'srt')).text).toBe(
      '1\n00:00:00,200 --> 00:00:00,900\nExit\n\n2\n00:00:02,200 --> 00:00:02,900\nI am 5 6 l 7 8\n\n',
    );
  });

  it('leaves out the comments of a styled track, and unescapes its text', async () => {
    const events = ['{note}a\\hb{\\i1}c{why}{\\i0}\\N{line}\\Nd\\{e\\}', '{only}', '{open'].map(
      (text, index) => `Dialogue: 0,0:00:0${index}.20,0:00:0${index}.90,Default,,0,0,0,,${text}\n`,
    );
    const text = styled.replace(/^Dialogue.*\n$/m, events.join(''));
    const source = await clipWithSubtitles('mkv', 'ass', [{ text }]);
    expect((await extracted(source, 'vtt')).text).toBe(
      'WEBVTT\n\n00:00.200 --> 00:00.900\na\u00a0b<i>c</i>\nd{e}\n\n00:02.200 --> 00:02.900\n{open\n',
    );
    expect((await extracted(source, 'srt')).text).toBe(
      '1\n00:00:00,200 --> 00:00:00,900\na\u00a0bc\nd{e}\n\n2\n00:00:02,200 --> 00:00:02,900\n{open\n\n',
    );
  });

  it('unescapes a WebVTT track in SRT', async () => {
    const text = 'WEBVTT\n\n00:00.200 --> 00:00.900\n{laughs}&nbsp;<i>1</i> &lt; 2\n';
    const source = await clipWithSubtitles('mkv', 'copy', [{ text }]);
    expect((await extracted(source, 'srt')).text).toBe(
      '1\n00:00:00,200 --> 00:00:00,900\n{laughs}\u00a0<i>1</i> < 2\n\n',
    );
  });

  it('reports a track without cues', async () => {
    const source = await clipWithSubtitles('mkv', 'ass', [{ text: styled.replace(/^Dialogue.*$/m, '') }]);
    await expect(extracted(source, 'vtt')).rejects.toThrow('The finished file has no cue; expected at least one');
    await expect(extracted(source, 'srt')).rejects.toThrow('An output file is empty');
  });
});

const styled = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment
Style: Default,Comic Sans MS,40,&H0000FFFF,0,0,8

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.20,0:00:00.90,Default,,0,0,0,,{\\pos(10,10)\\i1}Tom{\\i0} <3 Ann
`;
