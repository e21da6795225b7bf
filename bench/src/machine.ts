import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** The machine on which the benchmark runs. No field identifies the machine's owner. */
export interface Machine {
  cores: number
  processor: string
  memoryGB: number
  system: string
  node: string
  /** Versions of the programs that rows run, by program. */
  programs: Record<string, string>
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGB: Math.round(totalmem() / 1024 ** 3),
    system: /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform,
    node: process.versions.node,
    programs: {
      ffmpeg: version('ffmpeg', ['-version']),
      nginx: version('nginx', ['-v']),
      postgresql: version('psql', ['--version']),
      chromium: version('chromium', ['--version']),
    },
  }
}

/** Returns the version in a program's output: the first number with a point. */
function version(program: string, options: string[]): string {
  // nginx writes its version to standard error.
  const said = execFileSync('sh', ['-c', '"$0" "$@" 2>&1', program, ...options], { encoding: 'utf8' })
  return /\d+(?:\.\d+)+/.exec(said)?.[0] ?? 'unknown'
}
