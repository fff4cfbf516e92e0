/** Private hosts: the address that a rejection has, and its notations, separated by spaces. */
const privateHosts: Record<string, string> = {
  '127.0.0.1':
    '127.0.0.1 127.1 127.0.1 127.0.0.1. 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 0177.0.0.1 017700000001 ' +
    '00000177.0.0.1 127.0x0.0.01 %31%32%37.0.0.1 127%2e0%2e0%2e1 １２７.0.0.1 127。0。0。1 127．0．0．1 ①②⑦.⓪.⓪.① 𝟭𝟮𝟳.0.0.1',
  '127.255.255.254': '127.255.255.254 0x7ffffffe',
  '0.0.0.0': '0.0.0.0 0 0x0 00',
  '10.0.0.1': '10.0.0.1 10.1 012.0.0.1 167772161',
  '100.64.0.1': '100.64.0.1',
  '172.16.0.1': '172.16.0.1 0xac100001 172.16.1',
  '172.31.255.255': '172.31.255.255',
  '192.168.0.1': '192.168.0.1 192.168.1 3232235521',
  '198.18.0.1': '198.18.0.1',
  '224.0.0.1': '224.0.0.1',
  '255.255.255.255': '255.255.255.255 0xffffffff 4294967295',
  // Metadata services: most clouds, ECS containers, Alibaba, Oracle, AWS over IPv6, Google over IPv6.
  '169.254.169.254': '169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518',
  '169.254.170.2': '169.254.170.2',
  '100.100.100.200': '100.100.100.200',
  '192.0.0.192': '192.0.0.192',
  'fd00:ec2::254': '[fd00:ec2::254]',
  'fd20:ce::254': '[fd20:ce::254]',
  '::1': '[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0.0.0.1]',
  '::': '[::] [0::0]',
  '::7f00:1': '[::127.0.0.1] [::7f00:1]',
  '::ffff:7f00:1': '[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:FFFF:127.0.0.1]',
  '::ffff:a9fe:a9fe': '[::ffff:169.254.169.254] [::FFFF:A9FE:A9FE]',
  '64:ff9b::a00:1': '[64:ff9b::10.0.0.1]',
  '2002:7f00:1::': '[2002:7f00:1::]',
  '2001::1': '[2001::1]',
  'fe80::1': '[fe80::1]',
  'fec0::1': '[fec0::1]',
  'ff02::1': '[ff02::1]',
};

const blocked = (port: number) => `The URL's port ${port} is blocked: it belongs to another protocol`;

const byMessage: Record<string, string[]> = {
  'The URL must start with http:// or https://': [
    ...['file:///etc/passwd', 'FILE:///etc/passwd', 'ftp://example.com/', 'gopher://example.com:70/_x'],
    ...['dict://example.com:11211/stat', 'data:text/plain,x', 'javascript:alert(1)', 'blob:https://example.com/x'],
    ...['concat:https://example.com/', 's3://bucket/key', 'ws://example.com/', 'httpſ://example.com/'],
    ...['//example.com/', 'example.com', '/etc/passwd', 'https', ''],
  ],
  "The URL's host is localhost, which is not public": [
    ...['http://localhost/', 'http://LOCALHOST/', 'http://localhost./', 'http://localhost:8080/'],
    ...['http://a.localhost/', 'http://ⓛocalhost/', 'http://loc%61lhost/'],
  ],
  'The URL must not contain a user name or password': [
    ...['https://user@example.com/', 'https://user:password@example.com/', 'https://@example.com/'],
    ...['https://:@example.com/', 'https://example.com@127.0.0.1/'],
    ...['https://127.0.0.1@example.com/', 'https://a%40b@example.com/'],
  ],
  'The URL must not contain spaces, control characters or backslashes: percent-encode them': [
    ...['https://exam\tple.com/', 'https://exam\nple.com/', 'https://example.com/\r'],
    ...['https://example.com/\r\nX-Injected: 1', 'ht\ntps://example.com/', '\thttps://example.com/'],
    ...['https://example.com/ ', 'https://example.com/a b', 'https://example.com/\0', 'https://example.com/\x7f'],
    ...['https://example.com/\u0085', 'https://example.com/\u00a0', 'https://example.com/\u2028'],
    ...['https://example.com/\ud800', 'https://example.com\\@127.0.0.1/', 'https:\\\\example.com\\'],
  ],
  'The URL has no host after its scheme': [
    ...['https:', 'https://', 'https:example.com', 'https:/example.com'],
    ...['https:///example.com', 'https://?example.com'],
  ],
  'The URL is not valid: check its host and port': [
    ...['https://example.com:99999/', 'https://example.com:-1/', 'https://example.com:8080a/', 'https://1.2.3.256/'],
    ...['https://[::1/', 'https://[fe80::1%25eth0]/', 'https://exa<mple.com/', 'https://%00/', 'https://:443/'],
  ],
  [blocked(22)]: ['https://example.com:22/'],
  [blocked(25)]: ['http://example.com:25/'],
  [blocked(6667)]: ['http://example.com:6667/'],
  [blocked(0)]: ['http://example.com:0/'],
};

/** URLs with the address of their private host. */
export const privateUrls = Object.entries(privateHosts).flatMap(([address, spellings]) =>
  spellings.split(' ').map((host) => [`http://${host}/`, address] as const),
);

/** Other rejected URLs with their message. */
export const rejectedUrls = Object.entries(byMessage).flatMap(([message, urls]) =>
  urls.map((url) => [url, message] as const),
);
