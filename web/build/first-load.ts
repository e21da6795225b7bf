/** What is known of a module while files are put together. */
interface ModuleGraph {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null
}

/** Puts a module into the file of a name; null leaves it where the bundler wants it. */
interface Group {
  name(id: string, graph: ModuleGraph): string | null
  priority: number
}

/** The screen that most visits begin with, and what stands around all screens. Others come along with their page. */
const FIRST_SCREENS = /\/src\/routes\/(?:shell|home)\.tsx\?tsr-split=/

/**
 * Puts what the first page needs into two files: `ground` has what comes from packages and seldom changes, `first` what is
 * our own. Divided by what else uses each part it would be some thirty, each a round trip of a slow network and hardly
 * packed. What is imported only when it is needed stays apart.
 */
export function firstLoad(): Group[] {
  const needed = new Map<string, boolean>()
  const isNeeded = (id: string, graph: ModuleGraph): boolean => {
    const answer = needed.get(id) ?? isReached(id, graph)
    needed.set(id, answer)
    return answer
  }
  return [
    {
      name: (id, graph) => (id.includes('/node_modules/') && isNeeded(id, graph) ? 'ground' : null),
      priority: 2,
    },
    { name: (id, graph) => (isNeeded(id, graph) ? 'first' : null), priority: 1 },
  ]
}

/** Whether the first page imports a module, by whatever way. */
function isReached(id: string, graph: ModuleGraph): boolean {
  const seen = new Set([id])
  for (const each of seen) {
    const info = graph.getModuleInfo(each)
    if (FIRST_SCREENS.test(each) || info?.isEntry === true) return true
    for (const importer of info?.importers ?? []) seen.add(importer)
  }
  return false
}
