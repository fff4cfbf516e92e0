import { createHash } from 'node:crypto';

/**
 * The external id that an owner's roles must require. It derives from the owner, so that no caller can choose that of
 * another: otherwise one owner could have the service use a role that trusts it for another one (AWS IAM User Guide, "The
 * confused deputy problem"). It is no secret.
 */
export function externalIdOf(ownerId: string, stage: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['external-id', stage, ownerId]))
    .digest('hex');
  return `${stage}-${digest.slice(0, 40)}`;
}

/** The part of a stage that roles of owners trust. */
export type TrustedStage = { accountId: string; partition: string; namePrefix: string };

/** The principal that a role trusts: the account of the stage. The condition narrows it to roles of the stage. */
export function principalArn({ accountId, partition }: TrustedStage): string {
  return `arn:${partition}:iam::${accountId}:root`;
}

/** The trust policy of an owner's role, as JSON of IAM. */
export function trustPolicy(externalId: string, stage: TrustedStage) {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: principalArn(stage) },
        Action: 'sts:AssumeRole',
        Condition: {
          StringEquals: { 'sts:ExternalId': externalId },
          ArnLike: { 'aws:PrincipalArn': `arn:${stage.partition}:iam::${stage.accountId}:role/${stage.namePrefix}-*` },
        },
      },
    ],
  };
}
