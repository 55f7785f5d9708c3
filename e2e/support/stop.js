module.exports = async () => await globalThis.sharedN8nProcess.stop();
