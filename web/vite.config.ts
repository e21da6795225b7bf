import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { CASTING, firstLoad, PURCHASE } from './build/first-load.ts'
import { lateStart } from './build/late-start.ts'
import { serviceWorker } from './build/service-worker.ts'
import { slimContract } from './build/slim-contract.ts'
import { stylesOnce } from './build/styles-once.ts'
import { ALIASES, ROUTES, STANDALONE } from './src/routes.ts'

/** A path in the router's spelling: `/epg/{-$slug}` for `/epg/:slug?`, `/$` for all that is below. */
function routerPath(path: string): string {
  return path
    .replaceAll(/:(\w+)\?/g, '{-$$$1}')
    .replaceAll(/:(\w+)/g, '$$$1')
    .replace('*', '$')
}

const screens = Object.entries({ ...ROUTES, ...ALIASES }).map(([name, path]) => ({
  name,
  node: path === '/' ? index(`${name}.tsx`) : route(routerPath(path), `${name}.tsx`),
}))
const standalone = new Set<string>(STANDALONE)

// The table itself is passed, not a path to it: a path would be cached by a running development server.
const virtualRouteConfig = rootRoute('root.tsx', [
  layout(
    'shell',
    'shell.tsx',
    screens.filter(({ name }) => !standalone.has(name)).map(({ node }) => node),
  ),
  ...screens.filter(({ name }) => standalone.has(name)).map(({ node }) => node),
])

export default defineConfig(({ command }) => ({
  plugins: [
    slimContract(),
    tanstackStart({
      router: {
        virtualRouteConfig,
        generatedRouteTree: 'route-tree.gen.ts',
        quoteStyle: 'single',
        addExtensions: true,
      },
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
      // What the browser fetches later is in the server's code from the start.
      build: { rolldownOptions: { checks: { pluginTimings: false, ineffectiveDynamicImport: false } } },
    },
    client: {
      build: {
        // Shaka is one file, fetched only where something plays.
        chunkSizeWarningLimit: 1000,
        rolldownOptions: {
          // How long the build's own plugins took is no news.
          checks: { pluginTimings: false },
          output: {
            codeSplitting: { groups: [...firstLoad(), CASTING, PURCHASE] },
          },
        },
      },
    },
  },
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false },
}))
