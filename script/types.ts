import { spawnSync } from 'node:child_process'

/** TypeScript projects to check. `.` contains everything that runs on Node, and `native` also checks `web`. */
const PROGRAMS = ['contract', 'media', 'tv', 'web/worker', 'native', '.']

const failed = PROGRAMS.filter(
  (program) => spawnSync('tsc', ['-p', program], { stdio: 'inherit' }).status !== 0,
)
if (failed.length > 0) {
  console.error(`Type errors in: ${failed.join(', ')}.`)
  process.exit(1)
}
