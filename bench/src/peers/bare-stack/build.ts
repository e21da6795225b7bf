/** Builds the bare stack into the given folder. */
import { fileURLToPath } from 'node:url'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { createBuilder } from 'vite'

const [, , folder] = process.argv
if (folder === undefined) throw new Error('The folder to build into is missing.')

const builder = await createBuilder({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'error',
  plugins: [
    tanstackStart({
      srcDirectory: 'app',
      router: { generatedRouteTree: 'route-tree.gen.ts', quoteStyle: 'single', addExtensions: true },
    }),
    react(),
  ],
  // Builds like the service's own pages: with the production build of React, and with all dependencies bundled.
  environments: { ssr: { resolve: { noExternal: true } } },
  build: { outDir: folder, emptyOutDir: true, target: 'es2022', reportCompressedSize: false },
})
await builder.buildApp()
