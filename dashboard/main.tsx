import './styles.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readConfig } from './config.ts';
import { Notice } from './shell/notice.tsx';
import { Themed } from './shell/themed.tsx';

const root = createRoot(document.getElementById('root') as HTMLElement);

readConfig().then(
  (config) => root.render(<App config={config} />),
  (problem: unknown) =>
    root.render(
      <Themed>
        <main>
          <Notice
            title="The dashboard cannot start"
            action={{ label: 'Try again', onClick: () => window.location.reload() }}
          >
            {String(problem)}
          </Notice>
        </main>
      </Themed>,
    ),
);
