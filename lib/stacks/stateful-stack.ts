import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { JobTable } from '../constructs/job-table.ts';
import { MediaBucket } from '../constructs/media-bucket.ts';
import { statefulResourceNames } from '../names.ts';
import { pageOrigins } from '../page-origins.ts';
import type { Settings } from '../settings/settings.ts';

export type StatefulStackProps = StackProps & { settings: Settings };

/** What must outlive every upgrade: the record and the files. Its logical ids never change. */
export class StatefulStack extends Stack {
  constructor(scope: Construct, id: string, { settings, ...props }: StatefulStackProps) {
    super(scope, id, { description: `Media jobs, stage ${settings.stage}: records and files`, ...props });
    const names = statefulResourceNames({
      stage: settings.stage,
      account: this.account,
      region: this.region,
    });
    new JobTable(this, 'Jobs', { tableName: names.table });
    new MediaBucket(this, 'Media', {
      bucketName: names.mediaBucket,
      outputRetentionDays: settings.outputRetentionDays,
      deletedFileRetentionDays: settings.recovery.deletedFileRetentionDays,
      pageOrigins: pageOrigins(settings),
    });
  }
}
