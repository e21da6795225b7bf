import { fileURLToPath } from 'node:url'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { createBuilder } from 'vite'
import { ROUTER } from '../../web/build/router-options.ts'
import { slimContract } from '../../web/build/slim-contract.ts'
import { appPage } from './app-page.ts'
import { readAppSettings } from './app-settings.ts'

/**
 * Builds the files of the app into `native/www`, or into the folder of the first argument: the pages of the
 * website without a server. Runs only the browser build, with another entry. TanStack Start's own build without a
 * server (SPA mode) would also build a server, to render a page with it.
 */
const builder = await createBuilder({
  configFile: false,
  root: fileURLToPath(new URL('../../web', import.meta.url)),
  logLevel: 'warn',
  plugins: [
    slimContract(),
    tanstackStart({ router: ROUTER, client: { entry: '../../native/src/entry.tsx' } }),
    react(),
    appPage(readAppSettings(process.env)),
  ],
  environments: {
    client: {
      build: {
        outDir: process.argv[2] ?? fileURLToPath(new URL('../www', import.meta.url)),
        emptyOutDir: true,
        // The file of Shaka Player cannot be split, and is larger than Vite's default limit.
        chunkSizeWarningLimit: 1000,
        rolldownOptions: { checks: { pluginTimings: false } },
      },
    },
  },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false },
})
const { client } = builder.environments
if (client === undefined) throw new Error('The build of the website has no environment of this name.')
await builder.build(client)
