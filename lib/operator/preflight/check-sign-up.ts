import { type IdentityProvider, isOfStage } from '../../settings/identity.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Finding } from './finding.ts';

/** Hosts of issuers that give an account to anybody. */
const openHosts: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'securetoken.google.com',
  'appleid.apple.com',
  'api.login.yahoo.com',
  'discord.com',
  'github.com',
  'gitlab.com',
  'token.actions.githubusercontent.com',
  'id.twitch.tv',
  'login.salesforce.com',
  'slack.com',
  'www.amazon.com',
  'www.facebook.com',
  'www.linkedin.com',
  'www.paypal.com',
]);

/** The tenants of Microsoft to which every organization, or every personal account, belongs. */
const openMicrosoftTenant = /^\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i;

/** Compares who can sign in with who shares the jobs of a stage of one team: everybody whom the issuer admits. */
export function checkSignUp({ tenancy, identityProvider }: Settings): Finding[] {
  if (tenancy === 'multi' || identityProvider === undefined || isOfStage(identityProvider)) return [];
  const { issuer, organisation } = identityProvider;
  const requirement = `Only your team can sign in with ${issuer}`;
  if (organisation !== undefined) {
    return [{ requirement, status: 'ok', advice: `only members of ${organisation} are admitted` }];
  }
  const remedy = 'set identityProvider.organisationClaim and identityProvider.organisation';
  if (isOpen(identityProvider)) {
    const advice = `anybody can sign up there, and would have all jobs, keys and secrets: ${remedy}`;
    return [{ requirement, status: 'change', advice }];
  }
  const advice = `everybody with an account has all jobs, keys and secrets: check that sign-up is turned off there, or ${remedy}`;
  return [{ requirement, status: 'unknown', advice }];
}

function isOpen({ issuer }: IdentityProvider): boolean {
  const { hostname, pathname } = new URL(issuer);
  if (hostname === 'login.microsoftonline.com') return openMicrosoftTenant.test(pathname);
  return openHosts.has(hostname);
}
