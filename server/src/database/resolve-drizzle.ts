import { type ResolveFnOutput, registerHooks } from 'node:module'

const PACKAGE = 'drizzle-orm'

/** Resolved modules by the specifier of their import. */
const found = new Map<string, ResolveFnOutput>()

// Node parses a package's `exports` again for each import of the package and of its files. Drizzle's `exports`
// have 130 kB, and parsing them took a quarter of each start. All files of Drizzle are ES modules, so this hook
// resolves them without `exports`.
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
