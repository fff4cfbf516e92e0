import { describe, expect, it } from 'vitest';
import { parseStamp, pinnedPackages } from '../../../lib/operator/pinned-versions.ts';
import { checkAges } from '../../../lib/operator/preflight/check-ages.ts';
import { formatFinding } from '../../../lib/operator/preflight/finding.ts';
import { imageComponents } from '../../sbom/image-components.ts';
import { readAudit } from '../../weekly/read-audit.ts';

describe('the age of a pinned version', () => {
  it.each([
    ['20261121T000000Z', '2026-11-21'],
    ['n7.0-7-gd38bf5e08e-20240407', '2024-04-07'],
    ['N-66595-gc2b38619c0-static', undefined],
    ['7:7.1.5-0+deb13u1', undefined],
  ])('is read from %s', (text, day) => expect(parseStamp(text)?.toISOString().slice(0, 10)).toBe(day));

  it('is a warning of the preflight above 90 days, for every package of the image', async () => {
    const pinned = await pinnedPackages();
    const [{ at } = { at: undefined }] = pinned;
    const daysLater = (days: number) => new Date((at?.getTime() ?? Number.NaN) + days * 24 * 3_600_000);
    expect(checkAges(pinned, daysLater(90))).toEqual([]);
    const [first, ...others] = checkAges(pinned, daysLater(91));
    expect(others).toHaveLength(pinned.length - 1);
    expect(first && formatFinding(first)).toMatch(/^ {2}warn {5}The ffmpeg of the image, \S+: pinned 91 days ago/);
  });
});

describe('the report of npm audit', () => {
  const vulnerability = (severity: string) => ({ severity, range: '<2.0.0', fixAvailable: false });

  it.each([
    ['high', true],
    ['moderate', false],
  ])('with a vulnerability of severity %s', (severity, isUrgent) => {
    const report = readAudit(JSON.stringify({ vulnerabilities: { ws: vulnerability(severity) } }));
    expect(report.isUrgent).toBe(isUrgent);
    expect(report.found[0]?.line).toMatch(/ws <2\.0\.0 \(no fix yet\)$/);
  });

  it.each(['', '{"message":"405 Method Not Allowed"}'])('that is missing is an error: %j', (output) => {
    expect(() => readAudit(output)).toThrow('npm audit has no report');
  });
});

it('the bill of the image has its base, vmaf and the packages of Debian', async () => {
  const pinned = await imageComponents(undefined);
  expect(pinned.map(({ name }) => name)).toEqual(['node', 'vmaf', 'ffmpeg', 'fonts-dejavu-core']);
  expect(pinned[0]?.purl).toMatch(/^pkg:docker\/node@sha256%3A[0-9a-f]{64}$/);
  const built = await imageComponents('libx264-164\t2:0.164.3108+git31e19f9-2\tamd64\n');
  expect(built.at(-1)?.purl).toBe('pkg:deb/debian/libx264-164@2%3A0.164.3108%2Bgit31e19f9-2?arch=amd64&distro=trixie');
});
