import type { Plugin } from 'vite'
import { LATE_SCRIPT } from '../src/shell/browser/late-start.ts'

const MANIFEST = /tanstack-start-manifest:v$/

/** What the router's build knows of the files of each route; a page brings along what is listed for its own. */
interface Manifest {
  routes: Record<string, { preloads?: string[]; scripts?: { attrs: Record<string, unknown> }[] }>
}

/** Leaves it to the page when the application is fetched and begins, see `LATE_START_SCRIPT`. The entry is its first script. */
export function lateStart(): Plugin {
  return {
    name: 'ondine:late-start',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    async transform(code, id) {
      if (!MANIFEST.test(id)) return null
      const built: { tsrStartManifest(): Manifest } = await import(
        `data:text/javascript,${encodeURIComponent(code)}`
      )
      const manifest = built.tsrStartManifest()
      for (const route of Object.values(manifest.routes)) {
        const entries = (route.scripts ?? []).map(({ attrs }) => attrs.src)
        const files = new Set([...entries, ...(route.preloads ?? [])])
        if (files.size > 0) route.scripts = [...files].map((src) => ({ attrs: { type: LATE_SCRIPT, src } }))
        delete route.preloads
      }
      return {
        code: `export const tsrStartManifest = () => (${JSON.stringify(manifest)})`,
        map: { mappings: '' },
      }
    },
  }
}
