import resolver from 'node:dns/promises';

// Every function of the stage preloads this file. Its code calls `lookup` of the object that is patched here.
const lookups = new Map<string, number>();

async function lookup(name: string): Promise<{ address: string; family: number }[]> {
  const answers = dnsAnswers[name];
  if (answers === undefined) {
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  }
  const before = lookups.get(name) ?? 0;
  lookups.set(name, before + 1);
  const addresses = answers[Math.min(before, answers.length - 1)] ?? [];
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

Object.assign(resolver, { lookup });

/**
 * The DNS answers of these tests by name, in order of lookups; the last one repeats. Any other name is unknown, so that
 * no test leaves this machine.
 */
const dnsAnswers: Record<string, readonly (readonly string[])[]> = {
  'listed.test': [['127.0.0.1']],
  'private.test': [['10.0.0.1']],
  'metadata.test': [['169.254.169.254']],
  'metadata6.test': [['fd00:ec2::254']],
  'mixed.test': [['93.184.215.14', '127.0.0.1']],
  'rebinds-at-once.test': [['127.0.0.1'], ['10.0.0.1']],
  'rebinds-on-redirect.test': [['127.0.0.1'], ['10.0.0.1']],
  'rebinds-on-resume.test': [['127.0.0.1'], ['10.0.0.1']],
};
