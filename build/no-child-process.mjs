// Stands in for node:child_process where commander imports it, for commands that are programs of their own.
export default {
  spawn: () => {
    throw new Error('no command of this program is a program of its own');
  },
};
