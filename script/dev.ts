import { fileURLToPath } from 'node:url'
import { readSettings } from '@ondine/server/env'
import type { WebApplication } from '@ondine/server/http/web-application'
import { ALL_ROLES } from '@ondine/server/roles'
import { serve } from '@ondine/server/serve'
import { createServer, isRunnableDevEnvironment, type ViteDevServer } from 'vite'

const WEB = fileURLToPath(new URL('../web', import.meta.url))

const vite = await createServer({
  root: WEB,
  // Vite's default loader writes a file, which would restart the service.
  configLoader: 'native',
  appType: 'custom',
  server: { middlewareMode: true },
})
await serve(readSettings(process.env), ALL_ROLES, developedApplication(vite))

/** Returns the web application, compiled by Vite file by file. Open pages update on each change of the code. */
function developedApplication({ environments, middlewares }: ViteDevServer): WebApplication {
  const { ssr } = environments
  if (ssr === undefined || !isRunnableDevEnvironment(ssr))
    throw new Error('Vite cannot run the code of pages.')
  return {
    isStrict: false,
    // Imports the pages at each request. Vite compiles only the files that have changed since the last request.
    fetch: async (request, options) => {
      const { default: pages }: { default: Pick<WebApplication, 'fetch'> } =
        await ssr.runner.import('/src/server.tsx')
      return await pages.fetch(request, options)
    },
    serveFiles: async (app) => {
      app.addHook('onRequest', (request, reply, next) => {
        middlewares(request.raw, reply.raw, next)
      })
    },
  }
}
