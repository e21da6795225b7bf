import { moveLibraryCommand, withdrawLibraryCommand } from '../features/content/library/libraries.commands.ts'
import {
  cancelImportCommand,
  importCommand,
  listImportsCommand,
} from '../features/content/library/library.commands.ts'
import { listTitlesCommand, removeTitleCommand } from '../features/content/library/titles.commands.ts'
import { claimStoreCommand, emptyStoreCommand } from '../features/inventory/stores/stores.commands.ts'
import {
  listCategoriesCommand,
  putCategoryCommand,
  removeCategoryCommand,
} from '../features/inventory/titles/categories.commands.ts'
import {
  banAccountCommand,
  deleteAccountCommand,
  exportAccountCommand,
  forgetCodeCommand,
  givePackageCommand,
  listAccountsCommand,
  reopenAccountCommand,
  showAccountCommand,
  suspendAccountCommand,
  takePackageCommand,
} from '../features/operation/operated-accounts/accounts.commands.ts'
import {
  createStorefrontCommand,
  listStorefrontsCommand,
  removeStorefrontCommand,
  setStorefrontCommand,
} from '../features/operation/operated-storefronts/storefronts.commands.ts'
import { createAccountCommand } from '../features/people/registration/accounts.commands.ts'
import { checkLedgerCommand, exportLedgerCommand } from '../features/rights/accounting/accounting.commands.ts'
import {
  listOrdersCommand,
  refundOrderCommand,
  showOrderCommand,
} from '../features/rights/orders/orders.commands.ts'
import {
  generateVouchersCommand,
  importVouchersCommand,
  listVouchersCommand,
  withdrawVoucherCommand,
} from '../features/rights/vouchers/vouchers.commands.ts'
import {
  configFieldsCommand,
  configHistoryCommand,
  diffConfigCommand,
  getConfigCommand,
  loadConfigCommand,
  restoreConfigCommand,
  setConfigCommand,
  undoConfigCommand,
  unsetConfigCommand,
} from '../features/settings/configuration/configuration.commands.ts'
import {
  listKeysCommand,
  revokeKeyCommand,
  rotateKeysCommand,
} from '../features/settings/keys/keys.commands.ts'
import {
  getMenusCommand,
  loadMenusCommand,
  menusHistoryCommand,
  restoreMenusCommand,
  undoMenusCommand,
} from '../features/settings/menus/menus.commands.ts'
import {
  createOperatorCommand,
  listOperatorsCommand,
  revokeOperatorCommand,
} from '../features/settings/operators/operators.commands.ts'
import {
  diffWordsCommand,
  exportWordsCommand,
  getWordsCommand,
  importWordsCommand,
  restoreWordsCommand,
  setWordsCommand,
  undoWordsCommand,
  unsetWordsCommand,
  wordsHistoryCommand,
} from '../features/settings/words/words.commands.ts'
import {
  addInputCommand,
  inputStatusCommand,
  listInputsCommand,
  releaseInputsCommand,
  removeInputCommand,
} from '../features/streams/live-inputs/inputs.commands.ts'
import {
  addChannelListCommand,
  importChannelsCommand,
  listChannelListsCommand,
  listChannelsCommand,
  removeChannelCommand,
  removeChannelListCommand,
  runChannelListCommand,
  setChannelCommand,
  unsetChannelCommand,
} from '../features/television/channel-lists/channels.commands.ts'
import {
  addGuideSourceCommand,
  importGuideCommand,
  listGuideSourcesCommand,
  removeGuideSourceCommand,
  runGuideSourceCommand,
} from '../features/television/guide-import/guide.commands.ts'
import { importEditorialCommand } from '../features/viewing/editorial/editorial.commands.ts'
import {
  getTextCommand,
  listTextsCommand,
  putTextCommand,
  removeTextCommand,
  restoreTextCommand,
  textHistoryCommand,
  undoTextCommand,
} from '../features/viewing/editorial/texts.commands.ts'
import { removeRecordedTitleCommand } from '../features/viewing/recordings/recordings.commands.ts'
import { rebuildSearchCommand } from '../features/viewing/search/search.commands.ts'
import {
  importOffersCommand,
  listOffersCommand,
  migrateOfferCommand,
  showOfferCommand,
  withdrawOfferCommand,
} from '../features/viewing/shop/shop.commands.ts'
import type { Command } from './commands.ts'
import { doctorCommand } from './doctor.ts'

/** All commands that work on an installation. */
export const COMMANDS: readonly Command[] = [
  importCommand,
  listImportsCommand,
  cancelImportCommand,
  withdrawLibraryCommand,
  moveLibraryCommand,
  listTitlesCommand,
  removeTitleCommand,
  listCategoriesCommand,
  putCategoryCommand,
  removeCategoryCommand,
  importChannelsCommand,
  listChannelsCommand,
  setChannelCommand,
  unsetChannelCommand,
  removeChannelCommand,
  addChannelListCommand,
  listChannelListsCommand,
  runChannelListCommand,
  removeChannelListCommand,
  addInputCommand,
  listInputsCommand,
  inputStatusCommand,
  removeInputCommand,
  releaseInputsCommand,
  removeRecordedTitleCommand,
  importGuideCommand,
  addGuideSourceCommand,
  listGuideSourcesCommand,
  removeGuideSourceCommand,
  runGuideSourceCommand,
  importEditorialCommand,
  listTextsCommand,
  getTextCommand,
  putTextCommand,
  removeTextCommand,
  restoreTextCommand,
  undoTextCommand,
  textHistoryCommand,
  createAccountCommand,
  listAccountsCommand,
  showAccountCommand,
  exportAccountCommand,
  suspendAccountCommand,
  banAccountCommand,
  reopenAccountCommand,
  deleteAccountCommand,
  forgetCodeCommand,
  givePackageCommand,
  takePackageCommand,
  createOperatorCommand,
  listOperatorsCommand,
  revokeOperatorCommand,
  listKeysCommand,
  rotateKeysCommand,
  revokeKeyCommand,
  importOffersCommand,
  listOffersCommand,
  migrateOfferCommand,
  showOfferCommand,
  withdrawOfferCommand,
  importVouchersCommand,
  listVouchersCommand,
  generateVouchersCommand,
  withdrawVoucherCommand,
  listOrdersCommand,
  showOrderCommand,
  refundOrderCommand,
  checkLedgerCommand,
  exportLedgerCommand,
  createStorefrontCommand,
  listStorefrontsCommand,
  setStorefrontCommand,
  removeStorefrontCommand,
  getConfigCommand,
  setConfigCommand,
  unsetConfigCommand,
  loadConfigCommand,
  diffConfigCommand,
  undoConfigCommand,
  restoreConfigCommand,
  configHistoryCommand,
  configFieldsCommand,
  getMenusCommand,
  loadMenusCommand,
  restoreMenusCommand,
  undoMenusCommand,
  menusHistoryCommand,
  rebuildSearchCommand,
  getWordsCommand,
  setWordsCommand,
  unsetWordsCommand,
  importWordsCommand,
  exportWordsCommand,
  diffWordsCommand,
  undoWordsCommand,
  restoreWordsCommand,
  wordsHistoryCommand,
  claimStoreCommand,
  emptyStoreCommand,
  doctorCommand,
]
