import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { CASTING, COMMON, firstLoad } from './build/first-load.ts'
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
      // Bundles all packages, so that React always runs as its production build, independent of the service's
      // NODE_ENV.
      resolve: command === 'build' ? { noExternal: true } : {},
      // The server's code contains all modules from the start, also those that the browser imports lazily. So the
      // build must not warn about a lazy import that loads nothing new.
      build: { rolldownOptions: { checks: { pluginTimings: false, ineffectiveDynamicImport: false } } },
    },
    client: {
      build: {
        // Shaka Player is a single chunk of this size. Only pages with a player load it.
        chunkSizeWarningLimit: 1000,
        // Lazily imported code does not preload these files, because every page has loaded them already.
        modulePreload: { resolveDependencies: (_, files) => files.filter((file) => !FIRST_FILES.test(file)) },
        rolldownOptions: {
          // Omits the report of the time that the build's plugins took.
          checks: { pluginTimings: false },
          output: {
            // The first page lists all other files by name, and hashes do not compress. Seven characters are 42
            // bits.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: { groups: [...firstLoad(), CASTING, COMMON] },
          },
        },
      },
    },
  },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false },
}))
