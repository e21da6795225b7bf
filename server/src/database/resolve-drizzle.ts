import { type ResolveFnOutput, registerHooks } from 'node:module'

const PACKAGE = 'drizzle-orm'

/** What was found for the names that the package is imported by. */
const found = new Map<string, ResolveFnOutput>()

// Node parses the `exports` of a package anew for each import of it and for each of its files. Those of Drizzle have 130 kB, which
// made it a quarter of each start: so its files, all modules, are found without.
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.startsWith('./') || specifier.startsWith('../')) {
      const { parentURL } = context
      if (parentURL?.includes(`/node_modules/${PACKAGE}/`) !== true || !specifier.endsWith('.js'))
        return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    }
    if (specifier !== PACKAGE && !specifier.startsWith(`${PACKAGE}/`)) return next(specifier, context)
    const known = found.get(specifier)
    if (known) return { ...known, shortCircuit: true }
    const resolved = next(specifier, context)
    found.set(specifier, resolved)
    return resolved
  },
})
