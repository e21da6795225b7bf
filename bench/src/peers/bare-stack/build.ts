/** Builds the bare stack into the folder that is given. */
import { fileURLToPath } from 'node:url'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { createBuilder } from 'vite'

const [, , folder] = process.argv
if (folder === undefined) throw new Error('It is not said where to build.')

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
  // As the service's own pages are: with the production build of React, and nothing to be found beside it.
  environments: { ssr: { resolve: { noExternal: true } } },
  build: { outDir: folder, emptyOutDir: true, target: 'es2022', reportCompressedSize: false },
})
await builder.buildApp()
