import type { Plugin } from 'vite'
import { LATE_SCRIPT } from '../src/shell/browser/late-start.ts'
import { onStartManifest } from './start-manifest.ts'

/**
 * Lets the page decide when the application's scripts are fetched and started (see `LATE_START_SCRIPT`). The first
 * script of each route is the entry point of the application.
 */
export function lateStart(): Plugin {
  return {
    name: 'ondine:late-start',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    transform: onStartManifest(({ routes }) => {
      for (const route of Object.values(routes)) {
        const entries = (route.scripts ?? []).map(({ attrs }) => attrs.src)
        const files = new Set([...entries, ...(route.preloads ?? [])])
        if (files.size > 0) route.scripts = [...files].map((src) => ({ attrs: { type: LATE_SCRIPT, src } }))
        delete route.preloads
      }
    }),
  }
}
