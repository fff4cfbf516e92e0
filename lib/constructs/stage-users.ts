import { Lazy, Stack } from 'aws-cdk-lib';
import { CfnUserPool, CfnUserPoolClient, CfnUserPoolDomain, CfnUserPoolUser } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { acknowledgeFinding } from '../acknowledge-findings.ts';
import { namePrefix } from '../names.ts';
import { cognitoProvider, type IdentityProvider } from '../settings/identity.ts';
import type { Settings } from '../settings/settings.ts';

const hoursOfSession = 7 * 24;

/**
 * The people of a stage without an identity provider of its own: a Cognito user pool that nobody can sign up to, its sign-in
 * pages, and the dashboard as their client. The first person is invited by e-mail.
 */
export class StageUsers extends Construct {
  readonly provider: IdentityProvider;
  /** URL of the stage, once CloudFront is there: people are sent back to it. */
  private url: string | undefined;

  constructor(scope: Construct, id: string, { stage, alarmEmail }: Settings) {
    super(scope, id);
    const { account, region } = Stack.of(this);
    const pool = new CfnUserPool(this, 'Pool', {
      userPoolName: namePrefix(stage),
      adminCreateUserConfig: { allowAdminCreateUserOnly: true },
      usernameAttributes: ['email'],
      autoVerifiedAttributes: ['email'],
      accountRecoverySetting: { recoveryMechanisms: [{ name: 'verified_email', priority: 1 }] },
      mfaConfiguration: 'OPTIONAL',
      enabledMfas: ['SOFTWARE_TOKEN_MFA'],
      policies: {
        passwordPolicy: {
          minimumLength: 12,
          requireLowercase: true,
          requireNumbers: true,
          requireSymbols: true,
          requireUppercase: true,
          temporaryPasswordValidityDays: 7,
        },
      },
    });
    acknowledgeFinding(pool, 'AwsSolutions-COG2', 'Each person may turn on a second factor.');
    acknowledgeFinding(pool, 'AwsSolutions-COG3', 'Threat protection costs more than a small team needs.');
    acknowledgeFinding(pool, 'AwsSolutions-COG8', 'The plan Essentials has all that the dashboard needs.');
    const domain = new CfnUserPoolDomain(this, 'Domain', {
      userPoolId: pool.ref,
      // Unique in the region.
      domain: `${namePrefix(stage)}-${account}`,
    });
    const pages = `https://${domain.ref}.auth.${region}.amazoncognito.com`;
    const client = new CfnUserPoolClient(this, 'Dashboard', {
      userPoolId: pool.ref,
      clientName: 'dashboard',
      generateSecret: false,
      allowedOAuthFlowsUserPoolClient: true,
      allowedOAuthFlows: ['code'],
      allowedOAuthScopes: ['openid'],
      supportedIdentityProviders: ['COGNITO'],
      preventUserExistenceErrors: 'ENABLED',
      callbackUrLs: Lazy.list({ produce: () => [`${this.url}/app/signed-in`] }),
      logoutUrLs: Lazy.list({ produce: () => [`${this.url}/app/`] }),
      refreshTokenValidity: hoursOfSession,
      tokenValidityUnits: { refreshToken: 'hours' },
    });
    if (alarmEmail !== undefined) {
      new CfnUserPoolUser(this, 'FirstUser', {
        userPoolId: pool.ref,
        username: alarmEmail,
        desiredDeliveryMediums: ['EMAIL'],
        userAttributes: [
          { name: 'email', value: alarmEmail },
          { name: 'email_verified', value: 'true' },
        ],
      });
    }
    this.provider = {
      ...cognitoProvider,
      issuer: `https://cognito-idp.${region}.amazonaws.com/${pool.ref}`,
      audience: client.ref,
      dashboardClient: {
        ...cognitoProvider.dashboardClient,
        id: client.ref,
        origins: [pages],
        signOutUrl: `${pages}/logout`,
      },
    };
  }

  /** Sends people back to the stage after they have signed in or out. */
  returnTo(url: string): void {
    this.url = url;
  }
}
