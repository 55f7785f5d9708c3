// Gives test files the packages that Node has loaded, see realm.js.
exports.process = (_source, file) => ({ code: `module.exports = requirePackage(${JSON.stringify(file)});` });
