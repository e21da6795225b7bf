import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import serveStatic from '@fastify/static'
import type { PageContext } from '@ondine/web/api/page-context'
import type { FastifyInstance } from 'fastify'

/** The web application: its files for browsers, and the pages that it renders. */
export interface WebApplication {
  /** Registers the routes of the application's files. */
  serveFiles(app: FastifyInstance): Promise<void>
  /** Renders the page of a request. */
  fetch(request: Request, options: { context: PageContext }): Promise<Response>
  /**
   * Whether the policy of pages allows only the application's own scripts and styles. False in development, because
   * development tools insert further scripts and styles.
   */
  isStrict: boolean
}

/** Loads the built web application from a folder with `client/` and `server/`. */
export async function builtApplication(dist: string): Promise<WebApplication> {
  const built: { default: Pick<WebApplication, 'fetch'> } = await import(
    pathToFileURL(join(dist, 'server/server.js')).href
  )
  return {
    isStrict: true,
    fetch: async (request, options) => await built.default.fetch(request, options),
    serveFiles: async (app) => {
      await app.register(serveStatic, {
        root: join(dist, 'client'),
        // Lists the files when the service starts, so that every other path is a page.
        wildcard: false,
        index: false,
        preCompressed: true,
        immutable: false,
        maxAge: 0,
        setHeaders: (reply, path) => {
          // Names under assets/ contain a hash of the content.
          reply.header(
            'cache-control',
            path.includes('/client/assets/') ? `public, max-age=31536000, immutable` : 'public, max-age=3600',
          )
        },
      })
    },
  }
}
