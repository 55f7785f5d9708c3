// What test files get for a file of a package: the one that Node has loaded, see realm.js.
exports.process = (_source, file) => ({ code: `module.exports = requirePackage(${JSON.stringify(file)});` });
