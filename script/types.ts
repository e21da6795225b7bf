import { spawnSync } from 'node:child_process'

/** Projects whose types are checked: every workspace, and the scripts. */
const PROJECTS = ['contract', 'media', 'server', 'web', 'web/worker', 'demo', 'tv', 'e2e', 'bench', 'script']

const failed = PROJECTS.filter(
  (project) => spawnSync('tsc', ['-p', project], { stdio: 'inherit' }).status !== 0,
)
if (failed.length > 0) {
  console.error(`Type errors in: ${failed.join(', ')}.`)
  process.exit(1)
}
