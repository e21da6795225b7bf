import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { CASTING, firstLoad, PURCHASE } from './build/first-load.ts'
import { lateStart } from './build/late-start.ts'
import { ROUTER } from './build/router-options.ts'
import { serviceWorker } from './build/service-worker.ts'
import { slimContract } from './build/slim-contract.ts'
import { stylesOnce } from './build/styles-once.ts'

/** The files that every page loads first. */
const FIRST_FILES = /\/(?:index|ground|rolldown-runtime)-[\w-]+\.js$/

export default defineConfig(({ command }) => ({
  plugins: [
    slimContract(),
    tanstackStart({
      router: ROUTER,
      server: { build: { inlineCss: true } },
    }),
    react(),
    lateStart(),
    stylesOnce(['index']),
    serviceWorker(),
    compressed(),
  ],
  environments: {
    ssr: {
      // Everything is bundled, so that React runs as its production build whatever NODE_ENV the service has.
      resolve: command === 'build' ? { noExternal: true } : {},
      // The server's code contains all modules from the start, including those that the browser imports later. So the
      // build must not warn about imports that load nothing later.
      build: { rolldownOptions: { checks: { pluginTimings: false, ineffectiveDynamicImport: false } } },
    },
    client: {
      build: {
        // Shaka is one file, fetched only where something plays.
        chunkSizeWarningLimit: 1000,
        // A page that loads other code has these files already.
        modulePreload: { resolveDependencies: (_, files) => files.filter((file) => !FIRST_FILES.test(file)) },
        rolldownOptions: {
          // Leaves out the report of how long the build's own plugins took.
          checks: { pluginTimings: false },
          output: {
            // The first page names all other files, and hashes do not compress. Seven characters are 42 bits.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: { groups: [...firstLoad(), CASTING, PURCHASE] },
          },
        },
      },
    },
  },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false },
}))
