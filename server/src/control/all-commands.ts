import { createAccountCommand } from '../features/accounts/accounts.commands.ts'
import { importChannelsCommand } from '../features/channels/channels.commands.ts'
import {
  cancelImportCommand,
  importCommand,
  listImportsCommand,
} from '../features/library/library.commands.ts'
import type { Command } from './commands.ts'
import { doctorCommand } from './doctor.ts'

/** Every command that works on an installation. */
export const COMMANDS: readonly Command[] = [
  importCommand,
  listImportsCommand,
  cancelImportCommand,
  importChannelsCommand,
  createAccountCommand,
  doctorCommand,
]
