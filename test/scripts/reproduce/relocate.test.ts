import { describe, expect, it } from 'vitest';
import { concatListInput } from '../../../core/media/ffmpeg/command.ts';
import { ffmpegArguments } from '../../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { isMeasurement, parseRecordedCommand } from '../../../scripts/reproduce/recorded-command.ts';
import { relocateCommands, textsOf } from '../../../scripts/reproduce/relocate.ts';

const limits = { maxPixels: 100, maxAllocationBytes: 100, maxCpuSeconds: 10, cpuCount: 6 };
const locations = {
  directory: '/home/me/made',
  fontsDirectory: '/home/me/fonts',
  inputs: { 'input-1': '/home/me/clip.mov', 'asset-1-image': '/home/me/logo.png' },
};
const encode = (outputArguments: string[], path = '/tmp/job-Ab12Cd/input-1') => ({
  inputs: [{ path, options: ['-ss', '1'] }],
  outputArguments,
});
const relocated = (...commands: Parameters<typeof relocateCommands>[0]) =>
  relocateCommands(commands, locations).map(textsOf);

describe('a recorded command', () => {
  it('is the command behind its exact arguments, without the guards of the worker', () => {
    const command = {
      inputs: [
        { path: '/tmp/job-Ab12Cd/input-1', options: ['-ss', '1.5'] },
        { path: '/tmp/job-Ab12Cd/asset-1-image', options: [] },
        { path: '/tmp/job-Ab12Cd/step-1/poster.jpg', options: [], isTrusted: true },
        { path: '/tmp/job-Ab12Cd/asset-1-subtitles', options: [], isSubtitles: true },
      ],
      outputArguments: ['-c:v', 'libx264', '-crf', '28', '/tmp/job-Ab12Cd/step-1/output.mp4'],
    };
    const recorded = parseRecordedCommand(ffmpegArguments(command, limits));
    const threads = ['-threads:v', '9'];
    expect(recorded).toEqual({
      ...command,
      outputArguments: command.outputArguments.toSpliced(2, 0, ...threads),
    });
    // Another machine keeps the number of threads.
    expect(parseRecordedCommand(ffmpegArguments(recorded, { ...limits, cpuCount: 2 }))).toEqual(recorded);
  });

  it('is a measurement if no file depends on it', () => {
    const args = (outputArguments: string[]) => ffmpegArguments(encode(outputArguments), limits);
    expect(isMeasurement(args(['-af', 'loudnorm', '-f', 'null', '-']))).toBe(true);
    expect(isMeasurement(['--reference', 'a.y4m', '--distorted', 'b.y4m'])).toBe(true);
    expect(isMeasurement(args(['-pass', '1', '-f', 'null', '-']))).toBe(false);
    expect(isMeasurement(args(['output.mp4']))).toBe(false);
  });
});

describe('the paths of a worker', () => {
  it('become those of this machine, in filters too', () => {
    const filter =
      'subtitles=filename=/tmp/job-Ab12Cd/step-1/subtitles.srt:fontsdir=/opt/share/fonts:force_style=FontSize=5';
    const [texts] = relocated(encode(['-vf', filter, '/tmp/job-Ab12Cd/step-1/output.mp4']));
    expect(texts).toEqual([
      ...['-ss', '1', '/home/me/clip.mov', '-vf'],
      'subtitles=filename=/home/me/made/0/step-1/subtitles.srt:fontsdir=/home/me/fonts:force_style=FontSize=5',
      '/home/me/made/0/step-1/output.mp4',
    ]);
  });

  it('of chunk tasks are found by the addresses that the join read', () => {
    const proxy = 'http://127.0.0.1:4000/6f1f';
    const files = ['0-0', '1-0'].map((name) => ({ path: `${proxy}/${name}`, seconds: 2 }));
    const commands = relocated(
      encode(['/tmp/job-aaaaaa/chunk/encoded-0'], `${proxy}/source-0`),
      encode(['/tmp/job-bbbbbb/chunk/encoded-0'], `${proxy}/source-0`),
      {
        inputs: [concatListInput(files, { areRemote: true })],
        outputArguments: ['/tmp/job-cccccc/joined/output.mp4'],
      },
    );
    expect(commands[1]).toContain('/home/me/clip.mov');
    expect(commands[2]?.join('\n')).toContain("file 'file:/home/me/made/0/chunk/encoded-0'");
    expect(commands[2]?.join('\n')).toContain("file 'file:/home/me/made/1/chunk/encoded-0'");
    expect(() => relocated(encode(['/tmp/job-cccccc/joined/output.mp4'], `${proxy}/7-0`))).toThrow(
      'lacks the command of chunk task 7',
    );
  });

  it.each([
    ['an output elsewhere', encode(['/home/me/.profile'])],
    ['an output above', encode(['/tmp/job-Ab12Cd/../../home/me/.profile'])],
    ['an input elsewhere', encode(['/tmp/job-Ab12Cd/a.mp4'], '/etc/passwd')],
    ['a filter', encode(['-vf', 'movie=/etc/passwd', '/tmp/job-Ab12Cd/a.mp4'])],
    ['an escaped path in a filter', encode(['-vf', "movie='/etc/passwd'", '/tmp/job-Ab12Cd/a.mp4'])],
    ['an address', encode(['-f', 'mp4', 'tcp://192.0.2.1:80'])],
    ['a list', { ...encode(['a.mp4']), inputs: [concatListInput([{ path: '/etc/passwd', seconds: 1 }])] }],
  ])('that are not its own end the reproduction before anything runs: %s', (_, command) => {
    expect(() => relocated(command)).toThrow('so nothing was run');
  });

  it('are not mistaken for fractions', () => {
    const filter = "fps=30000/1001,crop='(iw-2)/2':ih/2,scale=trunc(iw/4)*2:-2";
    expect(relocated(encode(['-vf', filter, '/tmp/job-Ab12Cd/a.mp4']))).toHaveLength(1);
  });
});
