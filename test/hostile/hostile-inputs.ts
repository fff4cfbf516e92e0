import type { JobErrorCode } from '@media-jobs/video/errors';
import { downloadSeconds, type Endpoints, maxBytes } from './network-stage.ts';

/** An input that passes the text checks, and the error that its job is rejected with. */
export type HostileInput = {
  name: string;
  url: (at: Endpoints) => string;
  code: JobErrorCode;
  message: (at: Endpoints) => string;
  retryable: boolean;
};

const leadsInside = (name: string) => `${name} leads to an address that is not public`;

const forbidden = (name: string, url: HostileInput['url'], message: HostileInput['message']): HostileInput => ({
  name,
  url,
  code: 'INPUT_FORBIDDEN',
  message,
  retryable: false,
});

const unreachable = (
  name: string,
  url: HostileInput['url'],
  message: HostileInput['message'],
  retryable = false,
): HostileInput => ({ name, url, code: 'INPUT_UNREACHABLE', message, retryable });

const privateName = (name: string) =>
  forbidden(
    `the name ${name}`,
    ({ inside }) => `http://${name}:${inside}/`,
    () => leadsInside(name),
  );

export const byName: HostileInput[] = [
  ...['private.test', 'metadata6.test', 'mixed.test'].map(privateName),
  { ...privateName('listed.test'), name: 'a name of the listed address, at another port' },
  unreachable(
    'an unknown name',
    () => 'https://unknown.test/',
    () => 'The name unknown.test could not be resolved (ENOTFOUND)',
  ),
  forbidden(
    'a name that is rebound before its own redirect',
    ({ port }) => `http://rebinds-on-redirect.test:${port}/redirect?to=/text`,
    () => leadsInside('rebinds-on-redirect.test'),
  ),
  forbidden(
    'a name that is rebound before its download is resumed',
    ({ port }) => `http://rebinds-on-resume.test:${port}/half`,
    () => leadsInside('rebinds-on-resume.test'),
  ),
];

const redirectTo = (to: string) => (at: Endpoints) =>
  `http://${at.listed}/redirect?to=${encodeURIComponent(to.replace('INSIDE', String(at.inside)))}`;
const redirect = (to: string, rejection: string) =>
  forbidden(
    `a redirect to ${to}`,
    redirectTo(to),
    ({ listed }) => `${listed} redirects to a forbidden URL: ${rejection}`,
  );
const privateHost = (address: string) => `The URL's host is the address ${address}, which is not public`;

export const byRedirect: HostileInput[] = [
  redirect('http://127.0.0.1:INSIDE/', privateHost('127.0.0.1')),
  redirect('http://[::ffff:127.0.0.1]:INSIDE/', privateHost('::ffff:7f00:1')),
  redirect('http://169.254.169.254/latest/meta-data/', privateHost('169.254.169.254')),
  redirect('file:///etc/passwd', 'The URL must start with http:// or https://'),
  forbidden('a redirect to a private name', redirectTo('http://private.test:INSIDE/'), () =>
    leadsInside('private.test'),
  ),
  forbidden(
    'a redirect to an invalid URL',
    redirectTo('http://'),
    ({ listed }) => `${listed} redirects to an invalid URL`,
  ),
  unreachable(
    'a redirect loop',
    ({ listed }) => `http://${listed}/loop`,
    ({ listed }) => `The input's URL redirects more than 20 times, the last time from ${listed}`,
  ),
];

const tooLate = `The input did not arrive within ${downloadSeconds} s`;
const tooLarge = (name: string, path: string, size: string): HostileInput => ({
  name,
  url: ({ listed }) => `http://${listed}${path}`,
  code: 'INPUT_TOO_LARGE',
  message: () => `The input has ${size} bytes; the limit is ${maxBytes} bytes`,
  retryable: false,
});
const noHttp = (name: string, path: string, code: string) =>
  unreachable(
    name,
    ({ listed }) => `http://${listed}${path}`,
    ({ listed }) => `${listed} did not answer with valid HTTP (${code})`,
  );
const slow = (name: string, path: string) =>
  unreachable(
    name,
    ({ listed }) => `http://${listed}${path}`,
    () => tooLate,
    true,
  );

export const byAnswer: HostileInput[] = [
  slow('an answer without a body', '/silent'),
  slow('no answer', '/mute'),
  slow('a body of ten bytes a second', '/drip'),
  tooLarge('an endless body', '/endless', 'too many'),
  tooLarge('a body that is announced as too large', '/announced', '10000000000'),
  noHttp('endless headers', '/endless-headers', 'HPE_HEADER_OVERFLOW'),
  noHttp('another protocol', '/no-http', 'HPE_INVALID_CONSTANT'),
  {
    name: 'a compressed body that is no media',
    url: ({ listed }) => `http://${listed}/compressed`,
    code: 'INPUT_NOT_MEDIA',
    message: () => 'The input is not a media file that can be read',
    retryable: false,
  },
  unreachable(
    'a file that is missing',
    ({ listed }) => `http://${listed}/missing`,
    ({ listed }) => `${listed} answered 404 Not Found`,
  ),
];
